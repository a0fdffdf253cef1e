/* Writes the restart file that a recipe of the fuzzer describes, with its faults. */
#include <string.h>
#include <unistd.h>

#include "h5recipe.h"
#include "io/checkpoint.h"
#include "io/h5.h"
#include "io/hash.h"

static const double face_x[RECIPE_NX + 1] = {0, 0.5, 1, 1.5}, face_y[RECIPE_NY + 1] = {0, 0.25, 1},
                                       face_z[RECIPE_NZ + 1] = {-1, -0.5, 0, 0.5, 1};
const struct io_axis recipe_axis[3] = {{RECIPE_NX, face_x}, {RECIPE_NY, face_y}, {RECIPE_NZ, face_z}};

double recipe_value(int field, ptrdiff_t n)
{
    return field + 1.0 / (double)(1 + n);
}

struct io_view recipe_view(int field, double *data)
{
    struct io_view v = {.name = field ? "vec" : "u", .long_name = "a field", .unit = "U", .bytes = 8};
    v.location = field ? IO_CCC : IO_FCC;
    v.ncomp = field ? 3 : 1;
    for (int d = 0; d < 3; ++d) v.n_g[d] = v.n[d] = recipe_axis[d].n;
    v.data = data;
    return v;
}

static kol_status write_base(const char *directory)
{
    static const struct io_scalar scalars[] = {{"time", 0.5}, {"dt", 1e-3}, {"dpdx", -1.0 / 3}};
    static const struct io_text text[] = {{"version", "test"}, {"input", "&run title = 'x' /\n"}};
    static double data[3 * RECIPE_CELLS];
    struct checkpoint *c = NULL;
    TRY(checkpoint_begin(MPI_COMM_SELF, directory, 1, recipe_axis, text, 2, &c));
    for (int field = 0; field < 2; ++field) {
        for (ptrdiff_t n = 0; n < 3 * RECIPE_CELLS; ++n) data[n] = recipe_value(field, n);
        TRY(checkpoint_put(c, recipe_view(field, data)));
    }
    TRY(checkpoint_end(&c, scalars, 3, 1));
    return KOL_OK;
}

struct image recipe_base(const char *directory)
{
    char path[DISK_PATH];
    struct image image = {malloc(1 << 20), 0};
    REQUIRE(write_base(directory) == KOL_OK);
    snprintf(path, sizeof path, "%s/checkpoint_00000001.h5", directory);
    FILE *file = fopen(path, "rb");
    REQUIRE(file && image.bytes);
    image.size = fread(image.bytes, 1, 1 << 20, file);
    fclose(file);
    REQUIRE(unlink(path) == 0);
    return image;
}

/* --- what an edit may choose from --- */

static const char *const objects[] = {"/",
                                      "/run",
                                      "/grid",
                                      "/state",
                                      "/fields",
                                      "/grid/x_face",
                                      "/grid/y_face",
                                      "/grid/z_face",
                                      "/fields/u",
                                      "/fields/vec",
                                      "/extra",
                                      "/fields/extra",
                                      "/state/extra",
                                      "/run/extra",
                                      "/fields/\xff\n"};
static const char *const names[] = {"format",  "format_version", "complete",  "value_bytes", "step", "hash",
                                    "unit",    "location",       "long_name", "time",        "dt",   "input",
                                    "version", "created",        "position",  "other",       "/",    "%s%n"};
static const hsize_t sizes[] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 64, 255, 256, 65536, (hsize_t)1 << 31, (hsize_t)1 << 40};
static const double specials[] = {
    0, 1, 2, 4, 8, -1, 0.5, 1e-300, 1e18, 1e308, 1e-38, 4294967300.0, 4294967304.0, 9.3e18, -1e19, 3e38};

#define PICK(table, byte) ((table)[(byte) % (sizeof(table) / sizeof(table)[0])])

/* The fields of one edit, a byte or a few each, so that a fuzzer that changes a byte changes one property. */
struct edit {
    uint8_t op, object, name, type, rank, size[4], flags, value[6];
};
enum {
    FLAG_CHUNKED = 1,
    FLAG_COMPACT = 2,
    FLAG_HASH = 4,
    FLAG_UNWRITTEN = 8,
    FLAG_BITS = 16,
    FLAG_LONG_NAME = 32
};

static const char *long_name(const struct edit *e, char *room, size_t size)
{
    const size_t length = 200 + e->value[0];
    if (!(e->flags & FLAG_LONG_NAME) || length >= size) return PICK(names, e->name);
    memset(room, 'a' + e->name % 26, length);
    room[length] = '\0';
    return room;
}

static double value_of(const struct edit *e)
{
    double x = PICK(specials, e->value[0]);
    if (e->flags & FLAG_BITS) memcpy(&x, e->value, sizeof e->value); /* and the rest of the special one */
    return x;
}

static hid_t string_type(const struct edit *e, size_t size)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    H5Tset_strpad(type, (H5T_str_t)(e->value[1] % 3));
    return type;
}

static hid_t compound_type(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(type, "a", 0, H5T_NATIVE_INT64);
    H5Tinsert(type, "b", 8, H5T_NATIVE_DOUBLE);
    return type;
}

static hid_t sized(hid_t from, size_t size)
{
    const hid_t type = H5Tcopy(from);
    H5Tset_size(type, size);
    return type;
}

/* A type to be closed; negative where HDF5 can't make it. */
static hid_t type_of(const struct edit *e)
{
    const hid_t plain[] = {H5T_IEEE_F64LE, H5T_IEEE_F32LE,  H5T_IEEE_F64BE, H5T_STD_I64LE,
                           H5T_STD_U64LE,  H5T_STD_I32BE,   H5T_STD_I8LE,   H5T_STD_B64LE,
                           H5T_STD_U16BE,  H5T_STD_REF_OBJ, H5T_IEEE_F32BE, H5T_STD_U32LE};
    const hsize_t two = 2;
    const int kind = e->type % 20;
    switch (kind) {
    case 12:
        return string_type(e, 1 + e->value[2]);
    case 13:
        return string_type(e, 1 + 257 * (size_t)e->value[2]);
    case 14:
        return string_type(e, H5T_VARIABLE);
    case 15:
        return compound_type();
    case 16:
        return H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &two);
    case 17:
        return H5Tvlen_create(H5T_NATIVE_DOUBLE);
    case 18:
        return sized(H5T_STD_I64LE, 1 + e->value[2] % 32);
    case 19:
        return sized(H5T_OPAQUE, 1 + e->value[2]);
    default:
        return H5Tcopy(plain[kind]);
    }
}

static hid_t space_of(const struct edit *e, hsize_t *size)
{
    const int rank = e->rank % 8;
    for (int d = 0; d < 4; ++d) size[d] = PICK(sizes, e->size[d]);
    if (rank == 0) return H5Screate(H5S_SCALAR);
    if (rank > 4) return H5Screate(rank == 5 ? H5S_NULL : H5S_SCALAR);
    return H5Screate_simple(rank, size, NULL);
}

/* values_of: returns memory for as many values of the type as the space has, allocated with malloc; NULL if
 * there are too many, or if they cannot be copied as bytes. */
static void *values_of(const struct edit *e, hid_t type, hid_t space)
{
    enum { MOST = 1 << 16 };
    static double one = 1;
    static char word[] = "word";
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    const size_t size = H5Tget_size(type);
    if (points < 0 || points > MOST || size == 0 || (size_t)points * size > MOST) return NULL;
    unsigned char *data = calloc((size_t)points + 1, size);
    REQUIRE(data != NULL);
    const double x = value_of(e);
    const int64_t n = x >= -9e18 && x <= 9e18 ? (int64_t)x : INT64_MIN;
    const hvl_t list = {1, &one};
    char *text = word;
    for (hssize_t i = 0; i < points; ++i) {
        unsigned char *at = data + (size_t)i * size;
        if (H5Tis_variable_str(type) > 0) memcpy(at, &text, sizeof text);
        else if (H5Tget_class(type) == H5T_VLEN) memcpy(at, &list, sizeof list);
        else if (H5Tget_class(type) == H5T_STRING) memset(at, e->value[3], size);
        else if (H5Tget_class(type) == H5T_FLOAT && size == 8) memcpy(at, &x, sizeof x);
        else if (H5Tget_class(type) != H5T_REFERENCE) memcpy(at, &n, size < sizeof n ? size : sizeof n);
    }
    return data;
}

/* --- edits --- */

static void put_attribute(hid_t file, const char *object, const char *name, hid_t type, hid_t space,
                          const void *data)
{
    H5Adelete_by_name(file, object, name, H5P_DEFAULT);
    const hid_t id =
        H5Acreate_by_name(file, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (id >= 0 && data) H5Awrite(id, type, data);
    if (id >= 0) H5Aclose(id);
}

static void edit_attribute(hid_t file, const struct edit *e)
{
    char room[512];
    hsize_t size[4];
    const hid_t type = type_of(e), space = space_of(e, size);
    void *data = type >= 0 && space >= 0 ? values_of(e, type, space) : NULL;
    if (data)
        put_attribute(file, PICK(objects, e->object), long_name(e, room, sizeof room), type, space,
                      e->flags & FLAG_UNWRITTEN ? NULL : data);
    free(data);
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
}

static void put_hash(hid_t file, const char *object, const hsize_t *size, int rank, int bytes, void *data)
{
    struct io_view v = {.ncomp = 1, .n = {1, 1, 1}, .n_g = {1, 1, 1}, .bytes = bytes, .data = data};
    if (rank == 4) v.ncomp = (int)size[3];
    for (int d = 0; d < 3 && d < rank; ++d) v.n[d] = v.n_g[d] = (int)size[(rank > 3 ? 3 : rank) - 1 - d];
    const unsigned long long hash = hash_view(v);
    const hid_t space = H5Screate(H5S_SCALAR);
    put_attribute(file, object, "hash", H5T_NATIVE_ULLONG, space, &hash);
    H5Sclose(space);
}

static hid_t layout_of(const struct edit *e, int rank)
{
    const hsize_t chunk[4] = {1, 2, 1, 3};
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    if (e->flags & FLAG_CHUNKED && rank > 0) {
        H5Pset_chunk(how, rank, chunk);
        H5Pset_shuffle(how);
    } else if (e->flags & FLAG_COMPACT) {
        H5Pset_layout(how, H5D_COMPACT);
    }
    return how;
}

/* A new dataset in the place of the old one; where asked for with the hash that belongs to it. */
static void edit_dataset(hid_t file, const struct edit *e)
{
    const char *object = PICK(objects, e->object);
    hsize_t size[4];
    const hid_t type = type_of(e), space = space_of(e, size);
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    void *data = type >= 0 && rank >= 0 ? values_of(e, type, space) : NULL;
    const hid_t how = layout_of(e, rank);
    H5Ldelete(file, object, H5P_DEFAULT);
    const hid_t set =
        type >= 0 && rank >= 0 ? H5Dcreate2(file, object, type, space, H5P_DEFAULT, how, H5P_DEFAULT) : -1;
    if (set >= 0 && data && !(e->flags & FLAG_UNWRITTEN))
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    if (set >= 0 && data && e->flags & FLAG_HASH && H5Tget_class(type) == H5T_FLOAT &&
        H5Sget_simple_extent_npoints(space) > 0)
        put_hash(file, object, size, rank, (int)H5Tget_size(type), data);
    if (set >= 0) H5Dclose(set);
    H5Pclose(how);
    free(data);
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
}

static void edit_link(hid_t file, const struct edit *e)
{
    const char *at = PICK(objects, e->object), *to = PICK(objects, e->name);
    H5Ldelete(file, at, H5P_DEFAULT);
    switch (e->type % 4) {
    case 0:
        H5Lcreate_soft(to, file, at, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 1:
        H5Lcreate_hard(file, to, file, at, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 2:
        H5Lcreate_external("absent.h5", to, file, at, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 3:
        H5Lcreate_soft(at, file, at, H5P_DEFAULT, H5P_DEFAULT);
        break;
    }
}

static void edit_other_kind(hid_t file, const struct edit *e)
{
    const char *at = PICK(objects, e->object);
    H5Ldelete(file, at, H5P_DEFAULT);
    if (e->rank & 1) {
        const hid_t group = H5Gcreate2(file, at, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group >= 0) H5Gclose(group);
        return;
    }
    const hid_t type = type_of(e);
    if (type < 0) return;
    H5Tcommit2(file, at, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Tclose(type);
}

/* So many that HDF5 keeps them in another way; with long names where asked for. */
static void edit_many(hid_t file, const struct edit *e)
{
    char name[600], room[512];
    const double x = value_of(e);
    const char *object = PICK(objects, e->object);
    const hid_t scalar = H5Screate(H5S_SCALAR);
    for (int n = 0; n < e->size[0] % 40; ++n) {
        snprintf(name, sizeof name, "%d%s", n,
                 e->flags & FLAG_LONG_NAME ? long_name(e, room, sizeof room) : "");
        if (e->rank & 1) {
            put_attribute(file, object, name, H5T_NATIVE_DOUBLE, scalar, &x);
            continue;
        }
        const hid_t group = H5Gopen2(file, object, H5P_DEFAULT);
        if (group >= 0) H5Lcreate_soft("/fields/u", group, name, H5P_DEFAULT, H5P_DEFAULT);
        if (group >= 0) H5Gclose(group);
    }
    H5Sclose(scalar);
}

/* 0: no edit of the structure, but of bytes. */
static int edit_structure(hid_t file, const struct edit *e)
{
    switch (e->op % 8) {
    case 0:
    case 1:
        edit_attribute(file, e);
        return 1;
    case 2:
        edit_dataset(file, e);
        return 1;
    case 3:
        H5Adelete_by_name(file, PICK(objects, e->object), PICK(names, e->name), H5P_DEFAULT);
        return 1;
    case 4:
        edit_link(file, e);
        return 1;
    case 5:
        edit_other_kind(file, e);
        return 1;
    case 6:
        edit_many(file, e);
        return 1;
    default:
        return 0;
    }
}

static void edit_bytes(int file, const struct edit *e)
{
    unsigned char bytes[sizeof e->value];
    const off_t end = lseek(file, 0, SEEK_END);
    const off_t at = ((off_t)e->object << 16 | (off_t)e->name << 8 | e->type) % (end + 1);
    if (e->rank % 8 == 7) {
        REQUIRE(ftruncate(file, at) == 0);
        return;
    }
    const ssize_t count = pread(file, bytes, sizeof bytes, at);
    REQUIRE(count >= 0);
    for (ssize_t n = 0; n < count; ++n) bytes[n] ^= e->value[n];
    REQUIRE(pwrite(file, bytes, (size_t)count, at) == count);
}

/* --- the recipe --- */

static hid_t open_file(const char *path)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, access);
    if (file < 0) H5Eprint2(H5E_DEFAULT, stderr);
    H5Pclose(access);
    REQUIRE(file >= 0);
    return file;
}

int recipe_apply(int descriptor, const char *path, const uint8_t *data, size_t size)
{
    const size_t edits = size / RECIPE_EDIT < RECIPE_EDITS_MAX ? size / RECIPE_EDIT : RECIPE_EDITS_MAX;
    struct edit e;
    int flipped = 1;
    _Static_assert(sizeof e == RECIPE_EDIT, "an edit is its bytes");
    const hid_t file = open_file(path);
    for (size_t n = 0; n < edits; ++n) {
        memcpy(&e, data + n * RECIPE_EDIT, sizeof e);
        if (edit_structure(file, &e)) flipped = 0;
    }
    REQUIRE(H5Fclose(file) >= 0);
    for (size_t n = 0; n < edits; ++n) {
        memcpy(&e, data + n * RECIPE_EDIT, sizeof e);
        if (e.op % 8 == 7) edit_bytes(descriptor, &e);
    }
    return flipped;
}
