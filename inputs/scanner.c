/* Takes a namelist apart into names and values. */
#include "scanner.h"

#include <limits.h>
#include <string.h>

struct scanner scan_open(const char *text, size_t length, int set)
{
    struct scanner s = {text, length, 0, 0, 1, 1, set};
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) s.at = s.line_at = 3; /* byte order mark */
    return s;
}

int scan_peek(const struct scanner *s)
{
    return s->at < s->length ? (unsigned char)s->text[s->at] : SCAN_END;
}

int scan_next(struct scanner *s)
{
    const int c = scan_peek(s);
    if (c == SCAN_END) return c;
    ++s->at;
    if (c == '\n') {
        ++s->line;
        s->column = 1;
        s->line_at = s->at;
    } else if (s->at == s->length || (s->text[s->at] & 0xC0) != 0x80) {
        ++s->column; /* the bytes of one UTF-8 character count once */
    }
    return c;
}

struct place scan_place(const struct scanner *s)
{
    return (struct place){s->line, s->column, s->set};
}

static int is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

void scan_spaces(struct scanner *s)
{
    while (is_blank(scan_peek(s))) scan_next(s);
}

void scan_line(struct scanner *s)
{
    while (scan_peek(s) != '\n' && scan_peek(s) != SCAN_END) scan_next(s);
}

void scan_blank(struct scanner *s)
{
    for (;;) {
        scan_spaces(s);
        if (scan_peek(s) == '\n') scan_next(s);
        else if (scan_peek(s) == '!' && !s->set) scan_line(s);
        else return;
    }
}

int scan_first(const struct scanner *s)
{
    for (size_t i = s->line_at; i < s->at; ++i)
        if (!is_blank((unsigned char)s->text[i])) return 0;
    return 1;
}

static int is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static void start(const struct scanner *s, struct token *t)
{
    t->place = scan_place(s);
    t->text[0] = '\0';
    t->length = 0;
    t->quoted = 0;
    t->repeat = 1;
    t->wrong = NULL;
}

static void append(struct token *t, int c)
{
    if (t->length < INPUT_TEXT - 1) {
        t->text[t->length] = (char)c;
        t->text[t->length + 1] = '\0';
    }
    ++t->length;
}

void scan_name(struct scanner *s, struct token *t)
{
    start(s, t);
    if (!is_letter(scan_peek(s))) return;
    while (is_letter(scan_peek(s)) || is_digit(scan_peek(s))) append(t, scan_next(s));
}

int scan_is_quote(const struct scanner *s)
{
    return scan_peek(s) == '\'' || scan_peek(s) == '"';
}

int scan_is_name(const struct scanner *s)
{
    struct scanner ahead = *s;
    struct token name;
    if (s->set) return 0;
    scan_name(&ahead, &name);
    if (name.length == 0) return 0;
    scan_blank(&ahead);
    const int c = scan_peek(&ahead);
    return c == '=' || c == '(' || c == '%';
}

static int ends_word(const struct scanner *s, int c)
{
    if (c == SCAN_END || c == '\n' || c == ',' || is_blank(c)) return 1;
    return !s->set && strchr("/!;&='\"", c) && c != '\0';
}

int scan_separated(const struct scanner *s)
{
    const int c = scan_peek(s);
    return ends_word(s, c) && (s->set || (c != '=' && !scan_is_quote(s)));
}

/* Scans a text. A quote within it is written twice. It ends with its line even if the closing quote is
 * missing. */
static void scan_text(struct scanner *s, struct token *t)
{
    const int quote = scan_next(s);
    t->quoted = 1;
    for (;;) {
        const int c = scan_peek(s);
        if (c == '\n' || c == SCAN_END) {
            t->wrong = "text is not closed on its line; end it with the quote it began with";
            return;
        }
        scan_next(s);
        if (c == quote && scan_peek(s) != quote) return;
        if (c == quote) scan_next(s);
        if ((c < 32 && c != '\t' && !(c == '\r' && scan_peek(s) == '\n')) || c == 127)
            t->wrong = "text holds a control character; remove it";
        append(t, c);
    }
}

/* Scans digits and a star, if they stand here. */
static void scan_repeat(struct scanner *s, struct token *t)
{
    struct scanner ahead = *s;
    long repeat = 0;
    int digits = 0;
    for (; is_digit(scan_peek(&ahead)); ++digits) {
        const int digit = scan_next(&ahead) - '0';
        repeat = repeat > (LONG_MAX - digit) / 10 ? LONG_MAX : 10 * repeat + digit;
    }
    if (digits == 0 || scan_next(&ahead) != '*') return;
    t->repeat = repeat;
    *s = ahead;
}

void scan_value(struct scanner *s, struct token *t)
{
    start(s, t);
    scan_repeat(s, t);
    if (scan_is_quote(s)) {
        scan_text(s, t);
        return;
    }
    while (!ends_word(s, scan_peek(s))) {
        const int c = scan_next(s);
        if (c == '\0') t->wrong = "a zero byte stands here; the file must be plain text";
        append(t, c);
    }
}
