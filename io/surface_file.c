/* Writes files of surface data of bodies. */
#include "surface_file.h"

#include "h5_arrays.h"
#include "h5_attributes.h"
#include "h5_file.h"
#include "xdmf.h"

/* Adds an array of one or three values a point. */
static kol_status put_array(struct h5_file *f, int points, const char *name, const char *words,
                            const char *unit, int ncomp, const double *value)
{
    double *data = (double *)(size_t)value; /* views have no const; writing only reads */
    const struct io_view view = {.name = name,
                                 .long_name = words,
                                 .unit = unit,
                                 .location = IO_SURFACE,
                                 .ncomp = ncomp,
                                 .n_g = {points, 1, 1},
                                 .n = {points, 1, 1},
                                 .bytes = (int)sizeof(double),
                                 .data = data};
    return h5_put_view(f, name, view, (int)sizeof(double), H5_SLAB_BYTES);
}

static kol_status put_arrays(struct h5_file *f, struct surface_data d)
{
    const struct {
        const char *name, *words, *unit;
        int ncomp;
        const double *value;
    } array[] = {{"position", "point on the surface", "L", 3, d.position},
                 {"normal", "normal of the surface, out of the body", "1", 3, d.normal},
                 {"area", "vector of the closed face, out of the body; the force is -pressure times it", "L2",
                  3, d.area},
                 {"face_area", "size of the closed face; the force is shear times it", "L2", 1, d.face_area},
                 {"weight", "part of the surface that the point stands for", "L2", 1, d.weight},
                 {"body", "number of the body", "1", 1, d.body},
                 {"pressure", "pressure over density", "U2", 1, d.pressure},
                 {"shear", "force of friction and convection on the body over face_area", "U2", 3, d.shear}};
    for (size_t n = 0; n < sizeof array / sizeof *array; ++n)
        TRY(put_array(f, d.points, array[n].name, array[n].words, array[n].unit, array[n].ncomp,
                      array[n].value));
    return KOL_OK;
}

static kol_status put_all(struct h5_file *f, struct surface_when when, const struct io_axis axis[3],
                          struct surface_data data, const struct io_text *text, int texts)
{
    TRY(h5_put_run(f, text, texts));
    TRY(h5_put_grid(f, axis));
    TRY(h5_put_double(f, "/", "time", 1, &when.time));
    TRY(h5_put_double(f, "/", "duration", 1, &when.duration));
    if (when.steps > 0) {
        TRY(h5_put_double(f, "/", "start", 1, &when.start));
        TRY(h5_put_integer(f, "/", "steps", when.steps));
    }
    return put_arrays(f, data);
}

static kol_status complete(struct h5_file **f, kol_status st)
{
    if (st == KOL_OK) return h5_commit(f);
    h5_abandon(f);
    return status_pass(st, __FILE__, __LINE__, "put_all");
}

kol_status surface_file_write(const char *directory, struct surface_when when, const struct io_axis axis[3],
                              struct surface_data data, const struct io_text *text, int texts,
                              struct xdmf_index *index)
{
    struct h5_file *f;
    TRY(h5_create(MPI_COMM_SELF, directory, "surface", when.step, &f));
    TRY(complete(&f, put_all(f, when, axis, data, text, texts)));
    return xdmf_write(directory, "surface", when.step, index);
}

kol_status surface_file_write_average(const char *directory, struct surface_when when,
                                      const struct io_axis axis[3], struct surface_data data,
                                      const struct io_text *text, int texts)
{
    struct h5_file *f;
    TRY(h5_create_alone(MPI_COMM_SELF, directory, "surface_average", when.step, &f));
    TRY(complete(&f, put_all(f, when, axis, data, text, texts)));
    return xdmf_write_alone(directory, "surface_average");
}
