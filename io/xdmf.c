/* The form is the one that all three readers of ParaView 5.11 were seen to read exactly: XDMF 2, 3DRectMesh
 * with VXVYVZ nodes, values at cells, vectors as 4-D arrays, relative names; no Function or HyperSlab items,
 * which two of the readers drop without a word. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "h5.h"
#include "log.h"
#include "xdmf.h"

/* names are ours, but a scalar's comes from the input */
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

static kol_status put_grid(FILE *out, struct h5_file *f, char **name, int names)
{
    const char *file = strrchr(f->path, '/') + 1;
    double time = 0;
    struct h5_shape *shape = calloc((size_t)names, sizeof *shape);
    if (!shape) RAISE(KOL_ERR_MEMORY, "%s: no memory for %d arrays", f->path, names);
    kol_status st = KOL_OK;
    TRY_OR(done, h5_get_double(f, "/", "time", &time));
    for (int n = 0; n < names; ++n) TRY_OR(done, h5_get_shape(f, name[n], &shape[n]));
    const int *n_g = shape[0].n_g; /* all are of the grid: fields_add saw to it */
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

/* one file; what it wrote before a fault is a damaged entry, so faults of the file are looked for first */
static kol_status add_file(FILE *out, const char *path)
{
    struct h5_file *f;
    char **name = NULL;
    int count = 0;
    TRY(h5_open_serial(path, "kolmo-fields", &f));
    kol_status st = h5_list(f, "/", &name, &count);
    if (st == KOL_OK && count > 0) st = put_grid(out, f, name, count);
    h5_list_free(&name, count);
    const kol_status closed = h5_close(&f);
    return st != KOL_OK ? st : closed;
}

static kol_status put_all(FILE *out, const char *directory, const long long *step, int count,
                          long long step_last)
{
    char path[DISK_PATH];
    fputs("<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf Version=\"2.0\">\n  "
          "<Domain>\n"
          "    <Information Name=\"provenance\" Value=\"in the group /run of each file\"/>\n"
          "    <Grid Name=\"fields\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
          out);
    for (int n = count - 1; n >= 0; --n) { /* the list begins with the last step */
        if (step[n] > step_last) continue;
        TRY(disk_name(path, directory, "fields", step[n]));
        const kol_status st = add_file(out, path);
        if (st == KOL_ERR_IO) {
            log_warn("left out of fields.xdmf: %s", status_message());
            status_clear();
        } else if (st != KOL_OK) {
            return st;
        }
    }
    fputs("    </Grid>\n  </Domain>\n</Xdmf>\n", out);
    return KOL_OK;
}

kol_status xdmf_write(const char *directory, long long step_last)
{
    char path[DISK_PATH], temporary[DISK_PATH];
    long long *step = NULL;
    int count;
    TRY(disk_join(path, directory, "fields.xdmf"));
    TRY(disk_join(temporary, directory, "fields.xdmf.tmp"));
    TRY(disk_list(directory, "fields", &step, &count));
    FILE *out = fopen(temporary, "we");
    if (!out) {
        const int fault = errno;
        free(step);
        RAISE(KOL_ERR_IO, "%s: create: %s; check permissions and free space", temporary, strerror(fault));
    }
    kol_status st = put_all(out, directory, step, count, step_last);
    free(step);
    errno = 0;
    const int bad = ferror(out);
    if ((fclose(out) != 0 || bad) && st == KOL_OK)
        st = status_raise(KOL_ERR_IO, __FILE__, __LINE__, "%s: write: %s; check free space and quota",
                          temporary, strerror(errno ? errno : EIO));
    if (st == KOL_OK) st = disk_commit(temporary, path);
    if (st != KOL_OK) unlink(temporary);
    return st;
}
