// Runs Faust's code for an effect over a sound file, in blocks, with several copies in a row: `effect FILE COPIES`, the file
// stereo, 32-bit float, 44 bytes of header. Prints the sum of the output, so that the compiler removes nothing.
#include <stdio.h>
#include <stdlib.h>
#include <xmmintrin.h>

#define FAUSTFLOAT float
typedef struct MetaGlue {
    void *metaInterface;
    void (*declare)(void *, const char *, const char *);
} MetaGlue;
typedef struct {
    void *uiInterface;
    void (*openVerticalBox)(void *, const char *);
    void (*closeBox)(void *);
    void (*addHorizontalSlider)(void *, const char *, float *, float, float, float, float);
} UIGlue;
// Faust expects these two functions.
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
#include "effect.h"

enum { BLOCK = 512 };

int main(int count, char **arguments) {
    FILE *file = count == 3 ? fopen(arguments[1], "rb") : NULL;
    if (!file || fseek(file, 44, SEEK_SET)) {
        fprintf(stderr, "effect FILE COPIES: no file\n");
        return 1;
    }
    _mm_setcsr(_mm_getcsr() | 0x8040);
    int copies = atoi(arguments[2]);
    effect *made[64];
    for (int i = 0; i < copies && i < 64; i++) {
        made[i] = neweffect();
        initeffect(made[i], 48000);
    }
    static float pairs[2 * BLOCK], memory[4][BLOCK];
    double sum = 0;
    size_t frames;
    while ((frames = fread(pairs, 2 * sizeof(float), BLOCK, file)) > 0) {
        float *from[2] = {memory[0], memory[1]}, *to[2] = {memory[2], memory[3]};
        for (size_t i = 0; i < frames; i++) {
            from[0][i] = pairs[2 * i];
            from[1][i] = pairs[2 * i + 1];
        }
        for (int i = 0; i < copies; i++) {
            computeeffect(made[i], (int)frames, from, to);
            for (int side = 0; side < 2; side++) {
                float *swapped = from[side];
                from[side] = to[side];
                to[side] = swapped;
            }
        }
        sum += from[0][frames / 2] + from[1][frames / 2];
    }
    printf("%g\n", sum);
    return 0;
}
