/* Tests the file of launch shapes. An entry is found by device, arithmetic and size. A new entry replaces the
 * old one and nothing else. Damaged lines are counted and skipped, and a file that has one is left as it is.
 * Missing folders are made. If the file cannot be written, nothing is left behind. No MPI. */
#include <stdlib.h>
#include <unistd.h>
#include "io/tuning_file.h"
#include "tests/support/check.h"

static char folder[64], path[DISK_PATH];

static int setup(void **state)
{
    (void)state;
    status_clear();
    strcpy(folder, "/tmp/kolmo-tuning-XXXXXX");
    if (mkdtemp(folder) == NULL) return 1;
    return disk_join(path, folder, "cache/kolmo/tuning.txt") != KOL_OK;
}

static int teardown(void **state)
{
    (void)state;
    char command[128];
    status_clear();
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static struct tuning_entry entry(const char *device, const char *real_name, int n, const char *shape)
{
    struct tuning_entry e = {.n = {n, n + 1, n + 2}, .choices = 2};
    snprintf(e.device, sizeof e.device, "%s", device);
    snprintf(e.real, sizeof e.real, "%s", real_name);
    strcpy(e.choice[0].kernel, "momentum_rhs");
    strcpy(e.choice[1].kernel, "laplace_update");
    snprintf(e.choice[0].shape, TUNING_NAME, "%s", shape);
    strcpy(e.choice[1].shape, "2x1");
    return e;
}

static void keep(struct tuning_entry e)
{
    assert_int_equal(tuning_file_keep(path, &e), KOL_OK);
}

/* The shape that the file has for the first kernel, "" where it has none. */
static const char *find(struct tuning_entry *e, int damaged_wanted)
{
    int found, damaged;
    e->choices = 0;
    assert_int_equal(tuning_file_find(path, e, &found, &damaged), KOL_OK);
    assert_int_equal(damaged, damaged_wanted);
    if (!found) return "";
    assert_int_equal(e->choices, 2);
    assert_string_equal(e->choice[0].kernel, "momentum_rhs");
    assert_string_equal(e->choice[1].kernel, "laplace_update");
    assert_string_equal(e->choice[1].shape, "2x1");
    return e->choice[0].shape;
}

static int lines_of(void)
{
    FILE *f = fopen(path, "r");
    int lines = 0, c;
    assert_non_null(f);
    while ((c = getc(f)) != EOF) lines += c == '\n';
    fclose(f);
    return lines;
}

static void test_what_was_kept_is_found(void **state)
{
    (void)state;
    struct tuning_entry a = entry("NVIDIA H200", "double", 512, "32x8x32"), b = a;
    assert_string_equal(find(&b, 0), ""); /* no folder yet */
    keep(a);
    assert_string_equal(find(&b, 0), "32x8x32");
    assert_memory_equal(&a, &b, sizeof a);
    keep(entry("NVIDIA H200", "float", 512, "other real"));
    keep(entry("NVIDIA H200 NVL", "double", 512, "other device"));
    keep(entry("NVIDIA H200", "double", 256, "other size"));
    assert_int_equal(lines_of(), 4);
    assert_string_equal(find(&b, 0), "32x8x32");
    b = entry("NVIDIA H200", "float", 512, "");
    assert_string_equal(find(&b, 0), "other real");
    b = entry("NVIDIA", "double", 512, "");
    assert_string_equal(find(&b, 0), "");
    b = entry("NVIDIA H200", "double", 512, "");
    b.n[2] = 7;
    assert_string_equal(find(&b, 0), "");
}

static void test_a_new_entry_replaces_its_own_line_alone(void **state)
{
    (void)state;
    struct tuning_entry a = entry("A", "double", 8, ""), b = entry("B", "double", 8, "");
    keep(entry("A", "double", 8, "old"));
    keep(entry("B", "double", 8, "b"));
    keep(entry("A", "double", 8, "new"));
    assert_int_equal(lines_of(), 2);
    assert_string_equal(find(&a, 0), "new");
    assert_string_equal(find(&b, 0), "b");
}

static void append(const char *text)
{
    FILE *f = fopen(path, "a");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void test_damaged_lines_are_passed_over(void **state)
{
    (void)state;
    static const char *const DAMAGED[] = {
        "A | double | 8 9 10\n",
        "A | double | 8 9 10 |\n",
        "A | double | 8 9 | momentum_rhs = lost, laplace_update = 2x1\n",
        "A | double | 8 9 10 11 | momentum_rhs = lost, laplace_update = 2x1\n",
        "A | double | 8 9 ten | momentum_rhs = lost, laplace_update = 2x1\n",
        "A | double | 8 9 10 | momentum_rhs lost, laplace_update = 2x1\n",
        "A | double | 8 9 10 | momentum_rhs = lost,, laplace_update = 2x1\n",
        "A | double | 8 9 10 | momentum_rhs = lost = 2x1\n",
        "A | double | 8 9 10 | momentum_rhs =, laplace_update = 2x1\n",
        "A | double | 8 9 10 | momentum_rhs = a_name_that_is_longer_than_any_shape_has\n",
        "A || 8 9 10 | momentum_rhs = lost, laplace_update = 2x1\n",
        "| | |\n",
        "momentum\n",
        "A | double | 8 9 10 | momentum_rhs = 32x8x"}; /* written by a machine that died */
    enum { LINES = sizeof DAMAGED / sizeof *DAMAGED };
    struct tuning_entry a = entry("A", "double", 8, "");
    keep(entry("A", "double", 8, "kept"));
    append("# a remark\n\n   \t\n");
    for (int i = 0; i < LINES - 1; ++i) append(DAMAGED[i]);
    assert_string_equal(find(&a, LINES - 1), "kept");
    append(DAMAGED[LINES - 1]); /* reads as an entry, of one kernel: the caller misses the others */
    int found, damaged;
    assert_int_equal(tuning_file_find(path, &a, &found, &damaged), KOL_OK);
    assert_true(found && damaged == LINES - 1 && a.choices == 1);
    assert_int_equal(lines_of(), 4 + LINES - 1);
}

static void test_remarks_stay(void **state)
{
    (void)state;
    struct tuning_entry a = entry("A", "double", 8, "");
    keep(entry("A", "double", 8, "old"));
    append("# a remark\n\n   \t\n");
    keep(entry("A", "double", 8, "new"));
    assert_string_equal(find(&a, 0), "new");
    assert_int_equal(lines_of(), 4);
}

static size_t content(char *text, size_t size)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    const size_t bytes = fread(text, 1, size, f);
    fclose(f);
    return bytes;
}

/* What keep says of a file with these bytes, which must stay, alone in its folder. */
static const char *refusal(const char *bytes, size_t size)
{
    static char said[512];
    char after[512], temporary[DISK_PATH];
    const struct tuning_entry a = entry("A", "double", 8, "x");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(tuning_file_keep(path, &a), KOL_ERR_IO);
    snprintf(said, sizeof said, "%s", status_message());
    status_clear();
    assert_int_equal(content(after, sizeof after), size);
    assert_memory_equal(after, bytes, size);
    snprintf(temporary, sizeof temporary, "%.900s.%ld", path, (long)getpid());
    assert_int_not_equal(access(temporary, F_OK), 0);
    assert_non_null(strstr(said, path));
    return said;
}

static void test_another_file_is_left_as_it_is(void **state)
{
    (void)state;
    static const char CASE[] = "# a case\n\n&grid n=8,8,8 /\n&device tuning_file='case.nml' /\n";
    static const char CUT[] =
        "A | double | 8 9 10 | momentum_rhs = old, laplace_update = 2x1\nB | double | 8 9";
    static const char ZEROS[] = "\0\0\0\0\n";
    keep(entry("B", "double", 8, "b")); /* makes the folder */
    assert_non_null(strstr(refusal(CASE, sizeof CASE - 1), "is not a tuning file (line 3)"));
    assert_non_null(strstr(refusal(CUT, sizeof CUT - 1), "is not a tuning file (line 2)"));
    assert_non_null(strstr(refusal(ZEROS, sizeof ZEROS - 1), "is not a tuning file (line 1)"));
}

static void test_a_line_may_be_spaced_by_hand(void **state)
{
    (void)state;
    struct tuning_entry a = entry("A b", "double", 8, "x");
    keep(entry("C", "double", 8, "c"));
    append("  A b|double|8  9\t10|momentum_rhs=32x8x32 ,laplace_update  =  2x1\r\n");
    assert_string_equal(find(&a, 0), "32x8x32");
}

static void test_what_cannot_be_written_is_a_fault_without_remains(void **state)
{
    (void)state;
    const struct tuning_entry a = entry("A", "double", 8, "x");
    char inside[DISK_PATH], file[DISK_PATH];
    int found = 1, damaged = 1;
    struct tuning_entry b = a;
    keep(a);
    assert_int_equal(disk_join(inside, path, "tuning.txt"), KOL_OK); /* its folder is a file */
    assert_int_equal(tuning_file_keep(inside, &a), KOL_ERR_IO);
    status_clear();
    assert_int_equal(tuning_file_find(inside, &b, &found, &damaged), KOL_OK);
    assert_true(!found && !damaged);
    /* a folder that nobody can write to, root neither */
    assert_int_equal(tuning_file_keep("/proc/self/kolmo/tuning.txt", &a), KOL_ERR_IO);
    status_clear();
    assert_int_equal(tuning_file_keep("/proc/self/tuning.txt", &a), KOL_ERR_IO);
    status_clear();
    /* the file's name is taken by a folder: the new file was written, but has to go again */
    assert_int_equal(disk_join(file, folder, "taken"), KOL_OK);
    assert_int_equal(disk_join(inside, file, "tuning.txt"), KOL_OK);
    assert_int_equal(tuning_file_keep(inside, &a), KOL_OK);
    assert_int_equal(tuning_file_keep(file, &a), KOL_ERR_IO);
    status_clear();
    snprintf(inside, sizeof inside, "%.900s.%ld", file, (long)getpid());
    assert_int_not_equal(access(inside, F_OK), 0);
}

static void test_the_usual_place(void **state)
{
    (void)state;
    char place[DISK_PATH];
    const char *home = getenv("HOME"), *cache = getenv("XDG_CACHE_HOME");
    char *home_before = strdup(home ? home : ""), *cache_before = strdup(cache ? cache : "");
    setenv("HOME", "/h", 1);
    setenv("XDG_CACHE_HOME", "/c", 1);
    assert_int_equal(tuning_file_path("given.txt", place), KOL_OK);
    assert_string_equal(place, "given.txt");
    assert_int_equal(tuning_file_path("", place), KOL_OK);
    assert_string_equal(place, "/c/kolmo/tuning.txt");
    setenv("XDG_CACHE_HOME", "", 1);
    assert_int_equal(tuning_file_path("", place), KOL_OK);
    assert_string_equal(place, "/h/.cache/kolmo/tuning.txt");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_int_equal(tuning_file_path("", place), KOL_OK);
    assert_string_equal(place, "");
    if (home) setenv("HOME", home_before, 1);
    if (cache) setenv("XDG_CACHE_HOME", cache_before, 1);
    free(home_before);
    free(cache_before);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {TEST(test_what_was_kept_is_found),
                                       TEST(test_a_new_entry_replaces_its_own_line_alone),
                                       TEST(test_damaged_lines_are_passed_over),
                                       TEST(test_remarks_stay),
                                       TEST(test_another_file_is_left_as_it_is),
                                       TEST(test_a_line_may_be_spaced_by_hand),
                                       TEST(test_what_cannot_be_written_is_a_fault_without_remains),
                                       TEST(test_the_usual_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
