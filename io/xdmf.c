/* Writes the XDMF index of files of fields and slices.
 *
 * ParaView 5.11 has three readers of XDMF. All three read the following form correctly: XDMF 2, 3DRectMesh
 * with VXVYVZ nodes, values at cells, vectors as 4-D arrays, and relative names. Function and HyperSlab
 * items are not used, because two of the readers ignore them without a message. */
#include "xdmf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "h5_arrays.h"
#include "h5_attributes.h"
#include "h5_file.h"
#include "h5_groups.h"
#include "kernels/base/regular_file.h"
#include "log.h"

/* Writes a text with its special characters escaped. Names are ours, except that of a scalar, which comes
 * from the input. */
static void put_escaped(FILE *out, const char *text)
{
    for (; *text; ++text) switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            putc(*text, out);
        }
}

static void put_nodes(FILE *out, const char *file, const char *name, int n)
{
    fprintf(out,
            "          <DataItem Dimensions=\"%d\" NumberType=\"Float\" Precision=\"8\" "
            "Format=\"HDF\">%s:/grid/%s</DataItem>\n",
            n + 1, file, name);
}

static void put_attribute(FILE *out, const char *file, const char *name, const struct h5_shape *s)
{
    char components[16] = "";
    if (s->ncomp != 1) snprintf(components, sizeof components, " %d", s->ncomp);
    fputs("        <Attribute Name=\"", out);
    put_escaped(out, name);
    fprintf(out, "\" AttributeType=\"%s\" Center=\"Cell\">\n", s->ncomp == 1 ? "Scalar" : "Vector");
    fprintf(out,
            "          <DataItem Dimensions=\"%d %d %d%s\" NumberType=\"Float\" Precision=\"%d\" "
            "Format=\"HDF\">%s:/",
            s->n_g[2], s->n_g[1], s->n_g[0], components, s->bytes, file);
    put_escaped(out, name);
    fputs("</DataItem>\n        </Attribute>\n", out);
}

/* Points on surfaces: their places are in /position, and values belong to the points. Sizes have the rank of
 * the arrays in the file, as one of the readers wants it. */
static kol_status put_points(FILE *out, struct h5_file *f, char **name, int names)
{
    const char *file = strrchr(f->path, '/') + 1;
    double time = 0;
    struct h5_shape s;
    TRY(h5_get_double(f, "/", "time", &time));
    TRY(h5_get_shape(f, "position", &s));
    fprintf(out, "      <Grid Name=\"%s\" GridType=\"Uniform\">\n        <Time Value=\"%.17g\"/>\n", file,
            time);
    fprintf(out, "        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%d\"/>\n", s.n_g[0]);
    fprintf(out,
            "        <Geometry GeometryType=\"XYZ\">\n          <DataItem Dimensions=\"1 1 %d 3\" "
            "NumberType=\"Float\" Precision=\"%d\" Format=\"HDF\">%s:/position</DataItem>\n"
            "        </Geometry>\n",
            s.n_g[0], s.bytes, file);
    for (int n = 0; n < names; ++n) {
        if (strcmp(name[n], "position") == 0) continue;
        TRY(h5_get_shape(f, name[n], &s));
        fprintf(out,
                "        <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">\n"
                "          <DataItem Dimensions=\"1 1 %d%s\" NumberType=\"Float\" Precision=\"%d\" "
                "Format=\"HDF\">%s:/%s</DataItem>\n        </Attribute>\n",
                name[n], s.ncomp == 1 ? "Scalar" : "Vector", s.n_g[0], s.ncomp == 1 ? "" : " 3", s.bytes,
                file, name[n]);
    }
    fputs("      </Grid>\n", out);
    return KOL_OK;
}

static kol_status put_grid(FILE *out, struct h5_file *f, char **name, int names)
{
    const char *file = strrchr(f->path, '/') + 1;
    double time = 0;
    struct h5_shape *shape = calloc((size_t)names, sizeof *shape);
    if (!shape) RAISE(KOL_ERR_MEMORY, "%s: no memory for %d arrays", f->path, names);
    kol_status st = KOL_OK;
    TRY_OR(done, h5_get_double(f, "/", "time", &time));
    for (int n = 0; n < names; ++n) TRY_OR(done, h5_get_shape(f, name[n], &shape[n]));
    const int *n_g = shape[0].n_g; /* all have the same grid, as fields_add has checked */
    fprintf(out, "      <Grid Name=\"%s\" GridType=\"Uniform\">\n        <Time Value=\"%.17g\"/>\n", file,
            time);
    fprintf(out, "        <Topology TopologyType=\"3DRectMesh\" Dimensions=\"%d %d %d\"/>\n", n_g[2] + 1,
            n_g[1] + 1, n_g[0] + 1);
    fputs("        <Geometry GeometryType=\"VXVYVZ\">\n", out);
    put_nodes(out, file, "x_face", n_g[0]);
    put_nodes(out, file, "y_face", n_g[1]);
    put_nodes(out, file, "z_face", n_g[2]);
    fputs("        </Geometry>\n", out);
    for (int n = 0; n < names; ++n) put_attribute(out, file, name[n], &shape[n]);
    fputs("      </Grid>\n", out);
done:
    free(shape);
    return st;
}

/* Keeps arrays at cell centres. Readers take every array for values of cells, so arrays at other places are
 * left out. */
static kol_status keep_centred(struct h5_file *f, char **name, int *count)
{
    int kept = 0;
    for (int n = 0; n < *count; ++n) {
        char location[8];
        TRY(h5_get_text(f, name[n], "location", location, sizeof location));
        char *const here = name[n];
        name[n] = name[kept]; /* nothing is lost */
        name[kept] = here;
        kept += strcmp(location, h5_location(IO_CCC)) == 0;
    }
    *count = kept;
    return KOL_OK;
}

static kol_status check_format(const struct h5_file *f)
{
    if (strcmp(f->format, "kolmo-fields") == 0 || strcmp(f->format, "kolmo-averages") == 0 ||
        strcmp(f->format, "kolmo-surface") == 0)
        return KOL_OK;
    RAISE(KOL_ERR_IO, "%s: the file has the format '%s', but 'kolmo-fields' is needed; check the name",
          f->path, f->format);
}

/* Adds one file. A fault would leave a damaged entry, so faults of the file are looked for first. */
static kol_status add_file(FILE *out, const char *path)
{
    struct h5_file *f;
    char **name = NULL;
    int count = 0, centred;
    TRY(h5_open_serial(path, NULL, &f));
    kol_status st = check_format(f);
    if (st == KOL_OK) st = h5_list(f, "/", &name, &count);
    centred = count;
    if (st == KOL_OK && strcmp(f->format, "kolmo-surface") == 0) {
        st = put_points(out, f, name, count);
    } else {
        if (st == KOL_OK) st = keep_centred(f, name, &centred);
        if (st == KOL_OK && centred > 0) st = put_grid(out, f, name, centred);
    }
    h5_list_free(&name, count);
    const kol_status closed = h5_close(&f);
    return st != KOL_OK ? st : closed;
}

/* --- the index --- */

void xdmf_index_drop(struct xdmf_index *index)
{
    for (int n = 0; n < index->count; ++n) free(index->text[n]);
    free(index->text);
    free(index->step);
    memset(index, 0, sizeof *index);
}

/* Finds the place of a step in the index, or the place where it belongs. It begins at the end, because the
 * latest step is asked for most. */
static int index_place(const struct xdmf_index *index, long long step)
{
    int n = index->count;
    while (n > 0 && index->step[n - 1] >= step) --n;
    return n;
}

static int index_has(const struct xdmf_index *index, int place, long long step)
{
    return place < index->count && index->step[place] == step;
}

static void index_forget(struct xdmf_index *index, long long step)
{
    const int n = index_place(index, step);
    if (!index_has(index, n, step)) return;
    free(index->text[n]);
    --index->count;
    memmove(index->text + n, index->text + n + 1, (size_t)(index->count - n) * sizeof *index->text);
    memmove(index->step + n, index->step + n + 1, (size_t)(index->count - n) * sizeof *index->step);
}

/* Puts a text into the index, which takes ownership of it. */
static kol_status index_keep(struct xdmf_index *index, int n, long long step, char *text)
{
    if (index->count == index->room) {
        const int room = 2 * index->room + 64;
        long long *steps = realloc(index->step, (size_t)room * sizeof *steps);
        if (steps) index->step = steps;
        char **texts = steps ? realloc(index->text, (size_t)room * sizeof *texts) : NULL;
        if (texts) index->text = texts;
        if (!texts) {
            free(text);
            RAISE(KOL_ERR_MEMORY, "no memory for a list of %d files", room);
        }
        index->room = room;
    }
    memmove(index->text + n + 1, index->text + n, (size_t)(index->count - n) * sizeof *index->text);
    memmove(index->step + n + 1, index->step + n, (size_t)(index->count - n) * sizeof *index->step);
    index->text[n] = text;
    index->step[n] = step;
    ++index->count;
    return KOL_OK;
}

/* Reads what a file says, and puts it into the index at place n. */
static kol_status index_read(struct xdmf_index *index, int n, long long step, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) RAISE(KOL_ERR_MEMORY, "%s: no memory for its entry", path);
    kol_status st = add_file(f, path);
    if (fclose(f) != 0 && st == KOL_OK)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "%s: no memory for its entry", path);
    if (st == KOL_OK) return index_keep(index, n, step, text);
    free(text);
    return st;
}

/* --- the collection --- */

static kol_status put_file(FILE *out, const char *directory, const char *stem, long long step,
                           struct xdmf_index *index)
{
    const int n = index_place(index, step);
    char path[DISK_PATH];
    if (!index_has(index, n, step)) {
        TRY(disk_name(path, directory, stem, step));
        TRY(index_read(index, n, step, path));
    }
    fputs(index->text[n], out);
    return KOL_OK;
}

/* list: what an index lists: the files of some steps, or one file alone. */
struct list {
    const char *directory, *stem;
    const char *alone; /* the path of this file, or NULL */
    long long *step;
    int count;
    long long step_last;
    struct xdmf_index *index;
};

static kol_status put_steps(FILE *out, const struct list *l)
{
    for (int n = l->count - 1; n >= 0; --n) { /* the list begins with the last step */
        if (l->step[n] > l->step_last) continue;
        const kol_status st = put_file(out, l->directory, l->stem, l->step[n], l->index);
        if (st == KOL_ERR_IO) {
            log_warn("a file is left out of %s.xdmf: %s", l->stem, status_message());
            status_clear();
        } else if (st != KOL_OK) {
            return st;
        }
    }
    return KOL_OK;
}

static kol_status put_all(FILE *out, const struct list *l)
{
    fprintf(out,
            "<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf Version=\"2.0\">\n  "
            "<Domain>\n"
            "    <Information Name=\"provenance\" Value=\"in the group /run of each file\"/>\n"
            "    <Grid Name=\"%s\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
            l->stem);
    TRY(l->alone != NULL ? add_file(out, l->alone) : put_steps(out, l));
    fputs("    </Grid>\n  </Domain>\n</Xdmf>\n", out);
    return KOL_OK;
}

static kol_status write_all(const struct list *l)
{
    char path[DISK_PATH], temporary[DISK_PATH], name[DISK_STEM + 16];
    const char *why;
    snprintf(name, sizeof name, "%s.xdmf", l->stem);
    TRY(disk_join(path, l->directory, name));
    snprintf(name, sizeof name, "%s.xdmf.tmp", l->stem);
    TRY(disk_join(temporary, l->directory, name));
    FILE *out = regular_file_stream(temporary, O_WRONLY | O_CREAT | O_TRUNC, "w", &why);
    if (!out) RAISE(KOL_ERR_IO, "%s can't be created: %s; check permissions and free space", temporary, why);
    kol_status st = put_all(out, l);
    errno = 0;
    const int bad = ferror(out);
    if ((fclose(out) != 0 || bad) && st == KOL_OK)
        st = status_raise(KOL_ERR_IO, __FILE__, __LINE__,
                          "%s can't be written: %s; check free space and quota", temporary,
                          strerror(errno ? errno : EIO));
    if (st == KOL_OK) st = disk_commit(temporary, path);
    if (st != KOL_OK) unlink(temporary);
    return st;
}

kol_status xdmf_write(const char *directory, const char *stem, long long step_last, struct xdmf_index *index)
{
    struct xdmf_index own = {.count = 0};
    struct list l = {directory, stem, NULL, NULL, 0, step_last, index ? index : &own};
    index_forget(l.index, step_last);
    kol_status st = disk_list(directory, stem, &l.step, &l.count);
    if (st == KOL_OK) st = write_all(&l);
    free(l.step);
    xdmf_index_drop(&own);
    return st;
}

kol_status xdmf_write_alone(const char *directory, const char *stem)
{
    char path[DISK_PATH], name[DISK_STEM + 8];
    const struct list l = {.directory = directory, .stem = stem, .alone = path};
    snprintf(name, sizeof name, "%s.h5", stem);
    TRY(disk_join(path, directory, name));
    return write_all(&l);
}
