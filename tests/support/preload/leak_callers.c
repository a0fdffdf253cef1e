/* Who took a block of memory that is lost, in programs with the address sanitizer: its leak checker leaves
 * out what libraries lose by their names (lsan.supp). It follows frame pointers, which Debian's libraries
 * lack, so it knows the caller of malloc() and often no other. With unwind tables it would know all, but each
 * malloc() then takes so long that a start of Open MPI takes 0.8 s more.
 *
 * A library that is unloaded by the end has no name any more, so none is unloaded; and the caller of
 * asprintf() is the one that counts, not the C library, so these functions are here, with frame pointers.  */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int dlclose(void *library);
int vasprintf(char **out, const char *format, va_list values);
int asprintf(char **out, const char *format, ...);
int __vasprintf_chk(char **out, int flag, const char *format, va_list values);
int __asprintf_chk(char **out, int flag, const char *format, ...);

int dlclose(void *library)
{
    (void)library;
    return 0;
}

static int print(char **out, const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    *out = length < 0 ? NULL : malloc((size_t)length + 1);
    return *out ? vsnprintf(*out, (size_t)length + 1, format, values) : -1;
}

int vasprintf(char **out, const char *format, va_list values)
{
    return print(out, format, values);
}

int asprintf(char **out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int length = print(out, format, values);
    va_end(values);
    return length;
}

int __vasprintf_chk(char **out, int flag, const char *format, va_list values)
{
    (void)flag;
    return print(out, format, values);
}

int __asprintf_chk(char **out, int flag, const char *format, ...)
{
    (void)flag;
    va_list values;
    va_start(values, format);
    const int length = print(out, format, values);
    va_end(values);
    return length;
}
