"""A Spack package of Kolmo, for a repository of one's own: docs/installing.md."""

from spack.package import *  # noqa: F403


class Kolmo(MakefilePackage, CudaPackage):  # noqa: F405
    """Direct numerical simulation of incompressible turbulence."""

    version("develop")  # noqa: F405

    variant("double", default=True, description="double precision")  # noqa: F405

    depends_on("c", type="build")  # noqa: F405
    depends_on("cxx", type="build", when="+cuda")  # noqa: F405
    depends_on("pkgconfig", type="build")  # noqa: F405
    depends_on("mpi")  # noqa: F405
    depends_on("hdf5+mpi")  # noqa: F405
    depends_on("netcdf-c+mpi")  # noqa: F405
    depends_on("fftw-api@3")  # noqa: F405
    depends_on("lapack", when="~cuda")  # noqa: F405
    depends_on("python@3.9:", type=("build", "run"))  # noqa: F405
    depends_on("py-numpy", type=("build", "run"))  # noqa: F405
    depends_on("py-h5py", type=("build", "run"))  # noqa: F405
    depends_on("py-matplotlib", type="run")  # noqa: F405

    def words(self):
        """Variables of make."""
        spec = self.spec
        found = [
            "BACKEND=" + ("cuda" if spec.satisfies("+cuda") else "cpu"),
            "REAL=" + ("double" if spec.satisfies("+double") else "float"),
            "ARCH=",  # Spack's compilers bring their own
            "MPICC=" + spec["mpi"].mpicc,
            "HDF5_CFLAGS=" + spec["hdf5"].headers.include_flags,
            "HDF5_LIBS=" + spec["hdf5"].libs.ld_flags,
            "NETCDF_CFLAGS=" + spec["netcdf-c"].headers.include_flags,
            "NETCDF_LIBS=" + spec["netcdf-c"].libs.ld_flags,
            "FFTW_CFLAGS=" + spec["fftw-api"].headers.include_flags,
            "FFTW_LIBS=" + spec["fftw-api"].libs.ld_flags,
        ]
        if spec.satisfies("+cuda"):
            arch = spec.variants["cuda_arch"].value[0]
            found += ["CUDA=" + spec["cuda"].prefix, "CUDA_ARCH=" + ("" if arch == "none" else arch)]
        else:
            found.append("LAPACK_LIBS=" + spec["lapack"].libs.ld_flags)
        return found

    def build(self, spec, prefix):
        """make."""
        make(*self.words())  # noqa: F405

    def install(self, spec, prefix):
        """make install."""
        make("install", "PREFIX=" + prefix, *self.words())  # noqa: F405
