/* Parses one assignment of a namelist, subscripts and values, and stores the values. */
#include "assignment.h"

#include <string.h>

#include "values.h"

/* selection: the elements that the values of one assignment go to, in their order. */
struct selection {
    int count;
    int element[TABLE_ELEMENTS];
};

struct span { /* one subscript: first, first + step, ... , count of them; single: no colon */
    int first, step, count, single;
};

static int ends_values(const struct scanner *s)
{
    const int c = scan_peek(s);
    if (c == SCAN_END) return 1;
    return !s->set && (c == '/' || c == '&' || c == '$' || scan_is_name(s));
}

static void skip_values(struct scanner *s)
{
    for (;;) {
        struct token t;
        scan_blank(s);
        if (ends_values(s)) return;
        const size_t before = s->at;
        scan_value(s, &t);
        if (s->at == before) scan_next(s);
    }
}

static void spoil(struct reading *r, int v)
{
    if (v >= 0) r->given[v].bad = 1;
}

/* Reads an integer of a subscript, within +-1000000, and keeps it in *text as it is written. It returns 0 if
 * there is none. */
static int subscript_int(struct scanner *s, int *out, struct shown *text)
{
    enum { LARGEST = 1000000 };
    int digits = 0, sign = 1;
    *out = 0;
    const size_t from = s->at;
    struct scanner number = *s;
    if (scan_peek(s) == '-' || scan_peek(s) == '+') sign = scan_next(&number) == '-' ? -1 : 1;
    if (scan_peek(&number) >= '0' && scan_peek(&number) <= '9') *s = number; /* a sign alone is none */
    for (; scan_peek(s) >= '0' && scan_peek(s) <= '9'; ++digits) {
        *out = 10 * *out + (scan_next(s) - '0');
        if (*out > LARGEST) *out = LARGEST;
    }
    *out *= sign;
    *text = show(s->text + from, s->at - from);
    scan_blank(s);
    return digits > 0;
}

/* parse_span: i, i:j, i:, :j, :, each with a step after a second colon. n: size of this index. */
static int parse_span(struct reading *r, struct scanner *s, const char *what, int n, struct span *out)
{
    const struct place place = scan_place(s);
    int low = 1, high = n, step = 1;
    struct shown first, last = {""}, by;
    const int has_low = subscript_int(s, &low, &first);
    out->single = has_low && scan_peek(s) != ':';
    if (out->single) high = low;
    if (!has_low) low = 1;
    if (!has_low && scan_peek(s) != ':') {
        fault_add(&r->faults, place, "%s takes subscripts such as (2), (1:2) or (:)", what);
        return 0;
    }
    int has_high = 0;
    if (scan_peek(s) == ':') {
        scan_next(s);
        scan_blank(s);
        has_high = subscript_int(s, &high, &last);
        if (!has_high) high = n;
    }
    if (scan_peek(s) == ':') {
        scan_next(s);
        scan_blank(s);
        if (!subscript_int(s, &step, &by) || step == 0) {
            fault_add(&r->faults, place, "%s: the step of a subscript must be an integer other than 0", what);
            return 0;
        }
    }
    if (step < 0 && !(has_low && has_high)) { /* Fortran takes a missing end as for a positive step */
        fault_add(&r->faults, place, "%s: with a negative step write both subscripts, such as (%d:1:-1)",
                  what, n);
        return 0;
    }
    if (low < 1 || low > n || high < 1 || high > n) {
        fault_add(&r->faults, place, "%s: subscript %s is outside 1 to %d", what,
                  low < 1 || low > n ? first.text : last.text, n);
        return 0;
    }
    *out = (struct span){low, step, (high - low) / step + 1, out->single};
    if ((high - low) / step < 0 || (step > 0 ? high < low : high > low)) {
        fault_add(&r->faults, place, "%s: the subscripts from %d to %d in steps of %s select nothing", what,
                  low, high, step == 1 ? "1" : by.text);
        return 0;
    }
    return 1;
}

static void select_all(int elements, int from, struct selection *sel)
{
    sel->count = 0;
    for (int e = from; e < elements; ++e) sel->element[sel->count++] = e;
}

/* Selects the elements. After a single element the list may go on to the end of the array, as in Fortran; a
 * section is filled alone. */
static void select_spans(const struct variable *v, const struct span span[2], struct selection *sel)
{
    if (span[0].single && span[1].single) {
        select_all(variable_elements(v), (span[0].first - 1) + (span[1].first - 1) * v->shape[0], sel);
        return;
    }
    sel->count = 0;
    for (int j = 0; j < span[1].count; ++j)
        for (int i = 0; i < span[0].count; ++i)
            sel->element[sel->count++] =
                span[0].first - 1 + i * span[0].step + (span[1].first - 1 + j * span[1].step) * v->shape[0];
}

/* parse_subscripts: reads the subscripts; the cursor is on "(". */
static int parse_subscripts(struct reading *r, struct scanner *s, const struct variable *v,
                            struct selection *sel)
{
    const struct place place = scan_place(s);
    const int rank = (v->shape[0] > 0) + (v->shape[1] > 0);
    struct span span[2] = {{1, 1, 1, 1}, {1, 1, 1, 1}};
    char what[TABLE_NAME];
    strcpy(what, element_name(v, 0).text);
    what[strcspn(what, "(")] = '\0';
    if (rank == 0) {
        fault_add(&r->faults, place,
                  "%s is a single value and takes no subscripts (parts of a text can't be set)", what);
        return 0;
    }
    scan_next(s);
    for (int d = 0; d < rank; ++d) {
        scan_blank(s);
        if (!parse_span(r, s, what, v->shape[d], &span[d])) return 0;
        if (scan_peek(s) != (d + 1 < rank ? ',' : ')')) {
            fault_add(&r->faults, scan_place(s), "%s takes %d subscript%s, then ')'", what, rank,
                      rank > 1 ? "s" : "");
            return 0;
        }
        scan_next(s);
    }
    select_spans(v, span, sel);
    return 1;
}

static void fault_twice(struct reading *r, const struct token *t, const struct variable *v, int e,
                        struct place first)
{
    const struct element_name name = element_name(v, e);
    if (first.set) {
        const char *before = input_settings_by(r->set, first.set),
                   *here = input_settings_by(r->set, t->place.set);
        if (strcmp(before, here) == 0)
            fault_add(&r->faults, t->place, "%s is set twice by %s; remove one", name.text, here);
        else
            fault_add(&r->faults, t->place, "%s is set by %s and by %s; remove one", name.text, before, here);
    } else {
        fault_add(&r->faults, t->place, "%s is set twice, here in line %d and before in line %d; remove one",
                  name.text, t->place.line, first.line);
    }
}

/* store: puts one value into an element; it returns 0 after a fault. */
static int store(struct reading *r, int v, int e, const struct token *t)
{
    struct place *at = &r->given[v].element[e];
    struct reason why;
    if (at->line > 0 && (at->set > 0) == (t->place.set > 0)) {
        fault_twice(r, t, &r->table[v], e, *at);
        return 0;
    }
    *at = t->place;
    if (value_read(&r->table[v], e, t->text, t->length, t->quoted, r->values, &why)) return 1;
    fault_add(&r->faults, t->place, "%s", why.text);
    return 0;
}

static void fault_too_many(struct reading *r, int v, const struct selection *sel, const struct token *t,
                           int digits)
{
    const struct variable *var = &r->table[v];
    char what[TABLE_NAME];
    strcpy(what, element_name(var, 0).text);
    what[strcspn(what, "(")] = '\0';
    const char *plural = sel->count == 1 ? "" : "s", *hint = "";
    if (var->type == TYPE_REAL && digits && t->repeat == 1) hint = " (a decimal comma? write a point)";
    if (t->repeat > 1)
        fault_add(&r->faults, t->place, "%s takes %d value%s here; the repeat count %ld gives too many", what,
                  sel->count, plural, t->repeat);
    else
        fault_add(&r->faults, t->place, "%s takes %d value%s here; '%s' is one too many%s", what, sel->count,
                  plural, show(t->text, strlen(t->text)).text, hint);
}

/* take: puts the value or values of one token into the elements from *k on; it returns 0 after a fault.
 * after: a fault was already found in this list, so a wrong number of values is not reported. */
static int take(struct reading *r, int v, const struct selection *sel, const struct token *t, int *k,
                int after)
{
    const int null = !t->quoted && t->length == 0;
    if (t->wrong) {
        fault_add(&r->faults, t->place, "%s", t->wrong);
        *k += *k < sel->count;
        return 0;
    }
    if (t->repeat == 0) {
        fault_add(&r->faults, t->place, "a repeat count is at least 1");
        return 0;
    }
    if (t->repeat > sel->count - *k) {
        if (!after) fault_too_many(r, v, sel, t, strspn(t->text, "0123456789") == t->length);
        return 0;
    }
    for (long i = 0; i < t->repeat && !null; ++i)
        if (!store(r, v, sel->element[*k + (int)i], t)) {
            *k += (int)t->repeat;
            return 0;
        }
    *k += (int)t->repeat;
    return 1;
}

/* Reports text that may not stand in a list of values, once for each list, and skips it. */
static void stray(struct reading *r, struct scanner *s, int *wrong)
{
    const struct place place = scan_place(s);
    const char c = (char)scan_next(s);
    if (c == ';') fault_add(&r->faults, place, "';' doesn't separate values; use ','");
    else if (!*wrong)
        fault_add(&r->faults, place, "'%s' is not expected here; write a value or the next name",
                  show(&c, 1).text);
    *wrong = 1;
}

/* In a --set, words of a list of texts need no quotes either. */
static int bare_words(const struct scanner *s, const struct variable *v)
{
    return s->set && v->shape[0] > 0 &&
           (v->type == TYPE_TEXT || v->type == TYPE_CHOICE || v->type == TYPE_DURATION);
}

static void parse_values(struct reading *r, struct scanner *s, int v, const struct selection *sel)
{
    int k = 0, items = 0, wrong = 0, value_before = 0;
    const struct place place = scan_place(s);
    for (scan_blank(s); !ends_values(s); scan_blank(s)) {
        struct token t;
        const size_t before = s->at;
        if (scan_peek(s) == ',') { /* after a value it ends it; else there is no value: the old one stays */
            t = (struct token){.place = scan_place(s), .repeat = 1};
            if (!value_before && !take(r, v, sel, &t, &k, wrong)) wrong = 1;
            items += !value_before;
            value_before = 0;
            scan_next(s);
            continue;
        }
        scan_value(s, &t);
        if (s->at == before) {
            stray(r, s, &wrong);
            value_before = 0;
            continue;
        }
        if (bare_words(s, &r->table[v])) {
            if (!t.quoted && t.repeat != 1 && r->table[v].type == TYPE_TEXT)
                t.wrong = "a number before '*' counts repetitions here; write a formula or a text in quotes";
            t.quoted = 1;
        }
        if (!take(r, v, sel, &t, &k, wrong)) wrong = 1;
        ++items;
        value_before = 1;
        if (scan_separated(s)) continue;
        if (!wrong) fault_add(&r->faults, scan_place(s), "values are separated by ',' or a blank");
        wrong = 1;
        while (!scan_separated(s)) scan_next(s);
    }
    if (items == 0 && !wrong) {
        fault_add(&r->faults, place, "%s is given no value",
                  element_name(&r->table[v], sel->element[0]).text);
        wrong = 1;
    }
    if (wrong) spoil(r, v);
}

/* Reads the text after "=" in a --set as one text if the variable is a text, because the shell has removed
 * the quotes. */
static int parse_bare_text(struct reading *r, struct scanner *s, int v)
{
    const enum value_type type = r->table[v].type;
    if (!s->set || r->table[v].shape[0] > 0) return 0;
    if (type != TYPE_TEXT && type != TYPE_CHOICE && type != TYPE_DURATION) return 0;
    scan_spaces(s);
    if (scan_is_quote(s)) return 0;
    struct token t = {.place = scan_place(s), .quoted = 1, .repeat = 1};
    const struct selection sel = {1, {0}};
    int k = 0;
    while (scan_peek(s) != SCAN_END) {
        const int c = scan_next(s);
        if ((c < 32 && c != '\t') || c == 127) t.wrong = "text holds a control character; remove it";
        if (t.length < INPUT_TEXT - 1) t.text[t.length] = (char)c; /* zero after it from the start */
        ++t.length;
    }
    if (!take(r, v, &sel, &t, &k, 0)) spoil(r, v);
    return 1;
}

static void skip_subscripts(struct scanner *s)
{
    while (scan_peek(s) != SCAN_END && !strchr("=/\n&", scan_peek(s))) scan_next(s);
}

void parse_assignment(struct reading *r, struct scanner *s, int v, const struct token *name)
{
    struct selection sel;
    int good = v >= 0;
    if (good) select_all(variable_elements(&r->table[v]), 0, &sel);
    scan_blank(s);
    if (good && scan_peek(s) == '(') good = parse_subscripts(r, s, &r->table[v], &sel);
    scan_blank(s);
    if (good && scan_peek(s) == '%') {
        fault_add(&r->faults, scan_place(s),
                  "'%%' is not part of a name here; every variable is group and name alone");
        good = 0;
    }
    if (!good) skip_subscripts(s);
    if (scan_peek(s) == '=') {
        scan_next(s);
    } else if (good) {
        fault_add(&r->faults, scan_place(s), "'=' must follow %s", show(name->text, strlen(name->text)).text);
        good = 0;
    }
    if (!good) {
        spoil(r, v);
        skip_values(s);
        return;
    }
    r->given[v].place = name->place;
    if (parse_bare_text(r, s, v)) return;
    parse_values(r, s, v, &sel);
}
