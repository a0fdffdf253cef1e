/* Writes PNG files: the chunks IHDR, IDAT and IEND, with the rows in stored blocks of a zlib stream. */
#include "png.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "kernels/base/regular_file.h"

/* writing: a file, with the check sums of the chunk and of the rows so far. */
struct writing {
    FILE *file;
    uint32_t crc, a, b;
};

static void put(struct writing *w, const void *bytes, size_t count)
{
    const unsigned char *p = bytes;
    for (size_t n = 0; n < count; ++n) {
        w->crc ^= p[n];
        for (int bit = 0; bit < 8; ++bit) w->crc = w->crc >> 1 ^ (w->crc & 1 ? 0xedb88320u : 0);
    }
    fwrite(bytes, 1, count, w->file);
}

static void put_number(struct writing *w, uint32_t x)
{
    const unsigned char bytes[4] = {(unsigned char)(x >> 24), (unsigned char)(x >> 16),
                                    (unsigned char)(x >> 8), (unsigned char)x};
    put(w, bytes, 4);
}

static void begin(struct writing *w, uint32_t length, const char *name)
{
    put_number(w, length);
    w->crc = 0xffffffffu;
    put(w, name, 4);
}

static void end(struct writing *w)
{
    put_number(w, w->crc ^ 0xffffffffu);
}

/* One row is one stored block: the filter's number 0, and its points. */
static void put_row(struct writing *w, const unsigned char *row, uint32_t bytes, int last)
{
    const uint32_t length = bytes + 1, other = ~length;
    const unsigned char head[6] = {(unsigned char)last,          (unsigned char)length,
                                   (unsigned char)(length >> 8), (unsigned char)other,
                                   (unsigned char)(other >> 8),  0};
    put(w, head, sizeof head);
    put(w, row, bytes);
    w->b = (w->b + w->a) % 65521;
    for (uint32_t n = 0; n < bytes; ++n) {
        w->a = (w->a + row[n]) % 65521;
        w->b = (w->b + w->a) % 65521;
    }
}

kol_status png_write(const char *path, int width, int height, const unsigned char *rgb)
{
    static const unsigned char sign[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const unsigned char kind[5] = {8, 2, 0, 0, 0}, zlib[2] = {0x78, 0x01};
    const uint32_t row = 3 * (uint32_t)width;
    if (row + 1 > 65535) RAISE(KOL_ERR_INTERNAL, "a picture of %d points is too wide", width);
    const char *why = NULL;
    struct writing w = {regular_file_stream(path, O_WRONLY | O_CREAT | O_TRUNC, "w", &why), 0, 1, 0};
    if (w.file == NULL) RAISE(KOL_ERR_IO, "%s: the picture can't be made: %s", path, why);
    fwrite(sign, 1, sizeof sign, w.file);
    begin(&w, 13, "IHDR");
    put_number(&w, (uint32_t)width);
    put_number(&w, (uint32_t)height);
    put(&w, kind, sizeof kind);
    end(&w);
    begin(&w, 2 + (row + 6) * (uint32_t)height + 4, "IDAT");
    put(&w, zlib, sizeof zlib);
    for (int j = 0; j < height; ++j) put_row(&w, rgb + (size_t)row * (size_t)j, row, j == height - 1);
    put_number(&w, w.b << 16 | w.a);
    end(&w);
    begin(&w, 0, "IEND");
    end(&w);
    const int failed = ferror(w.file);
    if (fclose(w.file) == 0 && !failed) return KOL_OK;
    RAISE(KOL_ERR_IO, "%s: the picture can't be written: %s", path, strerror(errno));
}
