/* Attributes of an HDF5 file: texts, numbers, hashes. */
#ifndef KOL_IO_H5_ATTRIBUTES_H
#define KOL_IO_H5_ATTRIBUTES_H

#include "h5.h"
#include "view.h"

/* Attributes of the object (group or dataset) with the name `object`. The values of rank 0 are written. */
kol_status h5_put_text(struct h5_file *f, const char *object, const char *name, const char *text);
kol_status h5_put_double(struct h5_file *f, const char *object, const char *name, int n, const double *value);
kol_status h5_put_integer(struct h5_file *f, const char *object, const char *name, long long value);
kol_status h5_put_hash(struct h5_file *f, const char *object, unsigned long long hash);
/* h5_get_text: reads a text of at most size bytes, terminating zero included. A longer text is a fault. */
kol_status h5_get_text(struct h5_file *f, const char *object, const char *name, char *text, size_t size);
kol_status h5_get_double(struct h5_file *f, const char *object, const char *name, double *value);
kol_status h5_get_integer(struct h5_file *f, const char *object, const char *name, long long *value);
kol_status h5_get_hash(struct h5_file *f, const char *object, unsigned long long *hash);
/* h5_get_value_bytes: reads the root's attribute value_bytes. If it is neither 4 nor 8, this is a fault. */
kol_status h5_get_value_bytes(struct h5_file *f, int *bytes);
kol_status h5_has_attribute(struct h5_file *f, const char *object, const char *name, int *there);
/* h5_check_numbers, h5_check_texts: check that all attributes of the object can be read as numbers, or as
 * texts. *hash: the sum of h5_number_hash() over the numbers. If the texts have a hash, it is compared. */
kol_status h5_check_numbers(struct h5_file *f, const char *object, unsigned long long *hash);
unsigned long long h5_number_hash(const char *name, double value);
kol_status h5_check_texts(struct h5_file *f, const char *object);

/* h5_put_run: makes the group /run with the texts, the time of creation and their hash. This group holds
 * everything in which the files of two equal runs differ. */
kol_status h5_put_run(struct h5_file *f, const struct io_text *text, int texts);

#endif
