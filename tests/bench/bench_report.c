/* Prints the tables of kolmo-bench, and keeps the records in a JSON file. */
#include "bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "solver/output/provenance.h"

/* How a file of several runs ends: what --append puts the next run in place of. */
static const char FILE_HEAD[] = "{\"runs\": [\n", FILE_TAIL[] = "\n]}\n";

void bench_banner(const struct bench *b)
{
    const struct bench_bandwidth *w = &b->bandwidth;
    if (b->comm.rank != 0) return;
    printf("kolmo-bench %s, %s, %s, %d rank%s\n%s\n", provenance_version(), device_backend(), KOL_REAL_NAME,
           b->comm.size, b->comm.size > 1 ? "s" : "", b->device);
    printf("of each rank, all at once: copy %.1f GB/s (best %.1f), triad %.1f GB/s (best %.1f), arrays of "
           "%.0f MiB\n",
           w->copy_rate * 1e-9, 2e-9 * w->array / w->copy.best, w->triad_rate * 1e-9,
           3e-9 * w->array / w->triad.best, w->array / 1048576.0);
    if (b->options->mode != BENCH_POISSON && b->options->mode != BENCH_WARM) {
        printf(
            "below: medians over batches of repetitions; GB/s of one rank by the bytes of the contracts, "
            "cells/s of all ranks;\neach repetition works on the same arrays: of small grids (128^3) caches "
            "hold a part\n");
    }
    fflush(stdout);
}

static double cells_of(const struct bench_record *r)
{
    return (double)r->n[0] * r->n[1] * r->n[2];
}

/* Bytes that one rank moves a second; 0: not counted. */
static double rate_of(const struct bench *b, const struct bench_record *r)
{
    return r->values * (double)sizeof(real) * cells_of(r) / b->comm.size / r->time.median;
}

static void print_heading(const struct bench *b, const struct bench_record *r)
{
    char grid[BENCH_TEXT];
    snprintf(grid, sizeof grid, "%d x %d x %d cells", r->n[0], r->n[1], r->n[2]);
    printf("%s%s\n", b->tuning[0] != '\0' ? "\n" : "", b->tuning);
    printf("| %-46s |        ms |   best ms |  ns/cell | B/cell |   GB/s | of copy | Gcells/s |\n", grid);
    printf("| %.46s | --------: | --------: | -------: | -----: | -----: | ------: | -------: |\n",
           "----------------------------------------------");
}

/* Sums and exchanges have no cost a cell. */
static int costs_by_cell(const struct bench_record *r)
{
    return r->values > 0 || r->iterations >= 0;
}

static void print_record(const struct bench *b, const struct bench_record *r)
{
    char name[BENCH_TEXT + 32], cell[16] = "", bytes[48], rate[16] = "";
    const double cells = cells_of(r), moved = rate_of(b, r);
    snprintf(name, sizeof name, "%s", r->name);
    if (r->iterations >= 0)
        snprintf(name, sizeof name, "%s, %.1f pressure iterations", r->name, r->iterations);
    if (costs_by_cell(r)) {
        snprintf(cell, sizeof cell, "%.4f", r->time.median / cells * 1e9);
        snprintf(rate, sizeof rate, "%.3f", cells / r->time.median * 1e-9);
    }
    snprintf(bytes, sizeof bytes, "%6s | %6s | %7s", "", "", "");
    if (r->values > 0) {
        snprintf(bytes, sizeof bytes, "%6.3g | %6.1f | %5.1f %%", r->values * (double)sizeof(real),
                 moved * 1e-9, 100 * moved / b->bandwidth.copy_rate);
    }
    printf("| %-46s | %9.4f | %9.4f | %8s | %s | %8s |\n", name, r->time.median * 1e3, r->time.best * 1e3,
           cell, bytes, rate);
    fflush(stdout);
}

kol_status bench_keep(struct bench *b, struct bench_record r)
{
    if (b->records == b->room) {
        const int room = 2 * b->room + 64;
        struct bench_record *more = realloc(b->record, (size_t)room * sizeof *more);
        if (more == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d records", room);
        b->record = more;
        b->room = room;
    }
    b->record[b->records++] = r;
    return KOL_OK;
}

kol_status bench_record(struct bench *b, struct bench_record r)
{
    const struct bench_record *last = b->records > 0 ? &b->record[b->records - 1] : NULL;
    if (b->comm.rank == 0) {
        if (last == NULL || memcmp(last->n, r.n, sizeof r.n) != 0) print_heading(b, &r);
        print_record(b, &r);
    }
    return bench_keep(b, r);
}

static void json_string(FILE *f, const char *text)
{
    putc('"', f);
    for (const char *c = text; *c != '\0'; ++c) {
        if (*c == '"' || *c == '\\') putc('\\', f);
        if ((unsigned char)*c >= ' ') putc(*c, f);
    }
    putc('"', f);
}

static void json_text(FILE *f, const char *name, const char *text)
{
    fprintf(f, "\"%s\": ", name);
    json_string(f, text);
    fputs(", ", f);
}

static void json_record(FILE *f, const struct bench *b, const struct bench_record *r)
{
    fputs("   {", f);
    json_text(f, "name", r->name);
    fprintf(f, "\"n\": [%d, %d, %d], \"seconds\": %.6e, \"seconds_best\": %.6e", r->n[0], r->n[1], r->n[2],
            r->time.median, r->time.best);
    if (r->more[0] != '\0') {
        fprintf(f, ", %s}", r->more);
        return;
    }
    if (costs_by_cell(r)) fprintf(f, ", \"cells_per_second\": %.6e", cells_of(r) / r->time.median);
    if (r->values > 0) {
        fprintf(f, ", \"bytes_per_cell\": %.6g, \"bytes_per_second\": %.6e, \"share_of_copy\": %.4f",
                r->values * (double)sizeof(real), rate_of(b, r), rate_of(b, r) / b->bandwidth.copy_rate);
    }
    if (r->iterations >= 0) fprintf(f, ", \"pressure_iterations\": %.3f", r->iterations);
    fputs("}", f);
}

static void json_run(FILE *f, const struct bench *b)
{
    static const char *const MODE[] = {[BENCH_ALL] = "all",
                                       [BENCH_STRONG] = "strong",
                                       [BENCH_WEAK] = "weak",
                                       [BENCH_POISSON] = "poisson",
                                       [BENCH_WARM] = "poisson warm"};
    fputs("  {", f);
    json_text(f, "version", provenance_version());
    json_text(f, "backend", device_backend());
    json_text(f, "real", KOL_REAL_NAME);
    json_text(f, "device", b->device);
    json_text(f, "transport", b->transport);
    json_text(f, "mode", MODE[b->options->mode]);
    fputs("\"settings\": [", f);
    for (int i = 0; i < b->options->sets; ++i) fprintf(f, "%s\"%s\"", i > 0 ? ", " : "", b->options->set[i]);
    fprintf(f,
            "], \"ranks\": %d,\n   \"copy_bytes_per_second\": %.6e, \"triad_bytes_per_second\": %.6e, "
            "\"records\": [\n",
            b->comm.size, b->bandwidth.copy_rate, b->bandwidth.triad_rate);
    for (int i = 0; i < b->records; ++i) {
        json_record(f, b, &b->record[i]);
        fputs(i + 1 < b->records ? ",\n" : "\n", f);
    }
    fputs("  ]}", f);
}

/* Where the next run goes in a file that this program wrote: over its tail. */
static kol_status find_tail(FILE *f, const char *path)
{
    char tail[sizeof FILE_TAIL] = "";
    const long length = (long)strlen(FILE_TAIL);
    if (fseek(f, -length, SEEK_END) != 0 || fread(tail, 1, (size_t)length, f) != (size_t)length ||
        strcmp(tail, FILE_TAIL) != 0 || fseek(f, -length, SEEK_END) != 0)
        RAISE(KOL_ERR_IO, "%s was not written by kolmo-bench: choose another file for --json", path);
    return KOL_OK;
}

static kol_status open_once(const struct bench *b)
{
    if (b->comm.rank != 0) return KOL_OK;
    FILE *f = fopen(b->options->json, "a");
    if (f == NULL)
        RAISE(KOL_ERR_IO, "%s: %s; choose another file with --json", b->options->json, strerror(errno));
    fclose(f);
    return KOL_OK;
}

kol_status bench_writable(const struct bench *b)
{
    return comm_agree(&b->comm, open_once(b));
}

kol_status bench_write(const struct bench *b)
{
    const char *path = b->options->json;
    if (b->comm.rank != 0) return KOL_OK;
    FILE *f = fopen(path, b->options->append ? "r+" : "w");
    if (f == NULL) RAISE(KOL_ERR_IO, "%s: %s", path, strerror(errno));
    const int more = fseek(f, 0, SEEK_END) == 0 && ftell(f) > 0;
    kol_status st = more ? find_tail(f, path) : KOL_OK;
    if (st == KOL_OK) {
        fputs(more ? ",\n" : FILE_HEAD, f);
        json_run(f, b);
        fputs(FILE_TAIL, f);
    }
    const int bad = ferror(f);
    if ((fclose(f) != 0 || bad) && st == KOL_OK) RAISE(KOL_ERR_IO, "%s: can't be written", path);
    if (st == KOL_OK) printf("\n%s written\n", path);
    return st;
}
