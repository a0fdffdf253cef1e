/* Names the versions of HDF5 and NetCDF. */
#include "versions.h"

#include <stdio.h>
#include <string.h>
#include "h5.h"
#include "nc.h"

void io_versions(char *text, size_t size)
{
    unsigned major = 0, minor = 0, release = 0;
    char netcdf[64];
    H5get_libversion(&major, &minor, &release);
    snprintf(netcdf, sizeof netcdf, "%s", nc_inq_libvers());
    netcdf[strcspn(netcdf, " ")] = '\0';
    snprintf(text, size, "HDF5 %u.%u.%u, NetCDF %s", major, minor, release, netcdf);
}
