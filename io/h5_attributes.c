/* Writes and reads attributes. */
#include "h5_attributes.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "h5_groups.h"

/* Writes an attribute. The value is the same on all ranks, because any of them may write this piece of
 * metadata. */
static kol_status attribute_put(struct h5_file *f, const char *object, const char *name, hid_t type,
                                hid_t space, const void *value)
{
    kol_status st = KOL_OK;
    hid_t id = H5I_INVALID_HID;
    H5_TRY_ALL_OR(
        done, f,
        id = H5Acreate_by_name(f->id, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5_TRY_ALL_OR(done, f, H5Awrite(id, type, value));
done:
    return io_share(f->comm, h5_drop(f, st, &id));
}

static kol_status put_text(struct h5_file *f, const char *object, const char *name, const char *text,
                           size_t size)
{
    kol_status st = KOL_OK;
    hid_t type = H5I_INVALID_HID, space = H5I_INVALID_HID;
    H5_TRY_ALL_OR(done, f, type = H5Tcopy(H5T_C_S1));
    H5_TRY_ALL_OR(done, f, H5Tset_size(type, size));
    H5_TRY_ALL_OR(done, f, H5Tset_cset(type, H5T_CSET_UTF8));
    H5_TRY_ALL_OR(done, f, space = H5Screate(H5S_SCALAR));
    TRY_OR(done, attribute_put(f, object, name, type, space, text));
done:
    st = h5_drop(f, st, &type);
    return io_share(f->comm, h5_drop(f, st, &space));
}

kol_status h5_put_text(struct h5_file *f, const char *object, const char *name, const char *text)
{
    unsigned long long size = text ? strlen(text) + 1 : 1;
    IO_MPI_TRY(MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, f->comm));
    char *same = size < INT32_MAX ? malloc((size_t)size) : NULL;
    kol_status st = KOL_OK;
    if (!same)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "%s: no memory for %llu bytes of text %s",
                          f->path, size, name);
    st = io_share(f->comm, st);
    if (st == KOL_OK) {
        if (f->rank == 0) memcpy(same, text ? text : "", (size_t)size);
        st = io_mpi(MPI_Bcast(same, (int)size, MPI_CHAR, 0, f->comm), __FILE__, __LINE__, "MPI_Bcast");
        if (st == KOL_OK) st = put_text(f, object, name, same, (size_t)size);
    }
    free(same);
    return st;
}

kol_status h5_put_double(struct h5_file *f, const char *object, const char *name, int n, const double *value)
{
    double same[8] = {0};
    const int most = (int)(sizeof same / sizeof same[0]);
    if (n < 1 || n > most)
        RAISE(KOL_ERR_INTERNAL, "attribute %s has %d values, but only 1 to %d are possible", name, n, most);
    memcpy(same, value, (size_t)n * sizeof same[0]);
    IO_MPI_TRY(MPI_Bcast(same, n, MPI_DOUBLE, 0, f->comm));
    kol_status st = KOL_OK;
    hid_t space = H5I_INVALID_HID;
    const hsize_t size = (hsize_t)n;
    H5_TRY_ALL_OR(done, f, space = n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL));
    TRY_OR(done, attribute_put(f, object, name, H5T_NATIVE_DOUBLE, space, same));
done:
    return io_share(f->comm, h5_drop(f, st, &space));
}

static kol_status put_word(struct h5_file *f, const char *object, const char *name, hid_t type,
                           const void *value)
{
    uint64_t same;
    memcpy(&same, value, sizeof same);
    IO_MPI_TRY(MPI_Bcast(&same, 1, MPI_UINT64_T, 0, f->comm));
    kol_status st = KOL_OK;
    hid_t space = H5I_INVALID_HID;
    H5_TRY_ALL_OR(done, f, space = H5Screate(H5S_SCALAR));
    TRY_OR(done, attribute_put(f, object, name, type, space, &same));
done:
    return io_share(f->comm, h5_drop(f, st, &space));
}

kol_status h5_put_integer(struct h5_file *f, const char *object, const char *name, long long value)
{
    const int64_t word = value;
    return put_word(f, object, name, H5T_NATIVE_INT64, &word);
}

kol_status h5_put_hash(struct h5_file *f, const char *object, unsigned long long hash)
{
    const uint64_t word = hash;
    return put_word(f, object, "hash", H5T_NATIVE_UINT64, &word);
}

kol_status h5_has_attribute(struct h5_file *f, const char *object, const char *name, int *there)
{
    htri_t found = 0;
    H5_TRY_ALL(f, found = H5Aexists_by_name(f->id, object, name, H5P_DEFAULT));
    *there = found > 0;
    return KOL_OK;
}

static kol_status attribute_open(struct h5_file *f, const char *object, const char *name, hid_t *id)
{
    int found = 0;
    TRY(h5_has_attribute(f, object, name, &found));
    if (!found)
        RAISE(KOL_ERR_IO, "%s: '%s' has no attribute '%s'; the file is of another kind or version", f->path,
              object, name);
    H5_TRY_ALL(f, *id = H5Aopen_by_name(f->id, object, name, H5P_DEFAULT, H5P_DEFAULT));
    return KOL_OK;
}

/* Reads a single number of class `kind`. Other shapes and classes are a fault, not a wrong number. */
static kol_status get_number(struct h5_file *f, const char *object, const char *name, H5T_class_t kind,
                             hid_t type, void *value)
{
    kol_status st = KOL_OK;
    hid_t id = H5I_INVALID_HID, space = H5I_INVALID_HID, stored = H5I_INVALID_HID;
    TRY_OR(done, attribute_open(f, object, name, &id));
    H5_TRY_ALL_OR(done, f, space = H5Aget_space(id));
    H5_TRY_ALL_OR(done, f, stored = H5Aget_type(id));
    if (H5Sget_simple_extent_npoints(space) != 1 || H5Tget_class(stored) != kind) {
        st = status_raise(KOL_ERR_IO, __FILE__, __LINE__,
                          "%s: attribute '%s' of '%s' is no single number; the file is of another kind",
                          f->path, name, object);
        goto done;
    }
    H5_TRY_ALL_OR(done, f, H5Aread(id, type, value));
done:
    st = h5_drop(f, st, &stored);
    st = h5_drop(f, st, &space);
    return io_share(f->comm, h5_drop(f, st, &id));
}

kol_status h5_get_double(struct h5_file *f, const char *object, const char *name, double *value)
{
    return get_number(f, object, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, value);
}

kol_status h5_get_integer(struct h5_file *f, const char *object, const char *name, long long *value)
{
    return get_number(f, object, name, H5T_INTEGER, H5T_NATIVE_LLONG, value);
}

kol_status h5_get_value_bytes(struct h5_file *f, int *bytes)
{
    long long stored = 0;
    kol_status st = h5_get_integer(f, "/", "value_bytes", &stored);
    if (st == KOL_OK && stored != 4 && stored != 8)
        st = status_raise(
            KOL_ERR_IO, __FILE__, __LINE__,
            "%s: its values have %lld bytes, but only 4 or 8 are possible; the file is of another kind",
            f->path, stored);
    *bytes = (int)stored;
    return io_share(f->comm, st);
}

kol_status h5_get_hash(struct h5_file *f, const char *object, unsigned long long *hash)
{
    return get_number(f, object, "hash", H5T_INTEGER, H5T_NATIVE_ULLONG, hash);
}

kol_status h5_get_text(struct h5_file *f, const char *object, const char *name, char *text, size_t size)
{
    kol_status st = KOL_OK;
    hid_t id = H5I_INVALID_HID, space = H5I_INVALID_HID, stored = H5I_INVALID_HID;
    TRY_OR(done, attribute_open(f, object, name, &id));
    H5_TRY_ALL_OR(done, f, space = H5Aget_space(id));
    H5_TRY_ALL_OR(done, f, stored = H5Aget_type(id));
    if (H5Tget_class(stored) == H5T_STRING && H5Tis_variable_str(stored) > 0) {
        st = status_raise(KOL_ERR_IO, __FILE__, __LINE__,
                          "%s: attribute '%s' of '%s' is a text of variable length; write it with a fixed "
                          "length, in h5py as np.bytes_('...')",
                          f->path, name, object);
        goto done;
    }
    if (H5Sget_simple_extent_npoints(space) != 1 || H5Tget_class(stored) != H5T_STRING ||
        H5Tis_variable_str(stored) != 0 || H5Tget_size(stored) > size) {
        st = status_raise(
            KOL_ERR_IO, __FILE__, __LINE__,
            "%s: attribute '%s' of '%s' is no text of at most %zu bytes; the file is of another kind",
            f->path, name, object, size);
        goto done;
    }
    memset(text, 0, size);
    H5_TRY_ALL_OR(done, f, H5Aread(id, stored, text));
    text[size - 1] = '\0';
done:
    st = h5_drop(f, st, &stored);
    st = h5_drop(f, st, &space);
    return io_share(f->comm, h5_drop(f, st, &id));
}

/* Hash of a text and its name, by FNV-1a with 64 bits (Fowler, Noll and Vo 1991). HDF5 stores attributes
 * above 4 KiB without a checksum. */
static uint64_t text_hash(const char *name, const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    const char *part[2] = {name, text};
    for (int p = 0; p < 2; ++p)
        for (size_t i = 0; i <= strlen(part[p]); ++i)
            hash = (hash ^ (unsigned char)part[p][i]) * UINT64_C(0x100000001b3);
    return hash;
}

unsigned long long h5_number_hash(const char *name, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%a", value);
    return text_hash(name, text);
}

struct attributes {
    struct h5_file *file;
    const char *object;
    kol_status (*read)(struct attributes *, const char *);
    kol_status st;
    uint64_t hash; /* of texts or numbers, a sum: in any order */
};

static kol_status read_number(struct attributes *a, const char *name)
{
    double value;
    TRY(h5_get_double(a->file, a->object, name, &value));
    a->hash += h5_number_hash(name, value);
    return KOL_OK;
}

static kol_status read_text(struct attributes *a, const char *name)
{
    struct h5_file *f = a->file;
    const char *object = a->object;
    if (strcmp(name, "hash") == 0) return KOL_OK;
    hid_t id = H5I_INVALID_HID;
    kol_status st = KOL_OK;
    TRY(attribute_open(f, object, name, &id));
    const size_t size = (size_t)H5Aget_storage_size(id) + 1;
    TRY(io_share(f->comm, h5_drop(f, st, &id)));
    char *text = size < INT32_MAX ? malloc(size) : NULL;
    if (!text)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "%s: no memory for %zu bytes of text %s",
                          f->path, size, name);
    TRY_OR(done, io_share(f->comm, st));
    TRY_OR(done, h5_get_text(f, object, name, text, size));
    a->hash += text_hash(name, text);
done:
    free(text);
    return st;
}

static herr_t check_attribute(hid_t id, const char *name, const H5A_info_t *about, void *attributes)
{
    struct attributes *a = attributes;
    (void)id, (void)about;
    a->st = a->read(a, name);
    return a->st != KOL_OK;
}

/* Checks the attributes in the order of the file; list_all in h5_groups.c says why. */
static kol_status check_all(struct attributes *a)
{
    struct h5_file *f = a->file;
    H5_TRY_ALL(f, H5Aiterate_by_name(f->id, a->object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, check_attribute,
                                     a, H5P_DEFAULT));
    TRY(a->st);
    return KOL_OK;
}

kol_status h5_check_numbers(struct h5_file *f, const char *object, unsigned long long *hash)
{
    struct attributes a = {f, object, read_number, KOL_OK, 0};
    TRY(check_all(&a));
    *hash = a.hash;
    return KOL_OK;
}

kol_status h5_check_texts(struct h5_file *f, const char *object)
{
    struct attributes a = {f, object, read_text, KOL_OK, 0};
    unsigned long long wanted = 0;
    int known = 0;
    TRY(check_all(&a));
    TRY(h5_has_attribute(f, object, "hash", &known));
    if (!known) return KOL_OK; /* the file is from before Kolmo wrote this hash */
    TRY(h5_get_hash(f, object, &wanted));
    if (wanted != a.hash)
        RAISE(KOL_ERR_IO, "%s: a text of '%s' differs from its hash; the file is damaged", f->path, object);
    return KOL_OK;
}

kol_status h5_put_run(struct h5_file *f, const struct io_text *text, int texts)
{
    char created[32];
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &utc);
    TRY(h5_put_group(f, "/run"));
    TRY(h5_put_text(f, "/run", "created", created));
    unsigned long long hash = text_hash("created", created);
    for (int n = 0; n < texts; ++n) {
        TRY(h5_put_text(f, "/run", text[n].name, text[n].text));
        hash += text_hash(text[n].name, text[n].text ? text[n].text : "");
    }
    /* the hash is that of the texts of rank 0, which are those in the file */
    IO_MPI_TRY(MPI_Bcast(&hash, 1, MPI_UNSIGNED_LONG_LONG, 0, f->comm));
    TRY(h5_put_hash(f, "/run", hash));
    return KOL_OK;
}
