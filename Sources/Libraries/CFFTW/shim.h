#include <fftw3.h>

// Declared again to tell Swift: executing a plan takes no lock and no memory.
__attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))
void fftwf_execute_dft_r2c(const fftwf_plan plan, float *time, fftwf_complex *spectrum);
__attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))
void fftwf_execute_dft_c2r(const fftwf_plan plan, fftwf_complex *spectrum, float *time);
