/* Versions of the file libraries this program runs with. */
#ifndef KOL_IO_VERSIONS_H
#define KOL_IO_VERSIONS_H

#include <stddef.h>

/* io_versions: writes "HDF5 1.10.8, NetCDF 4.9.0" into text. */
void io_versions(char *text, size_t size);

#endif
