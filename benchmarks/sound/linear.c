// Measures Faust's code for linear.dsp. Prints nanoseconds per frame of the fastest of five runs.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FAUSTFLOAT float
typedef struct Meta Meta;
struct Meta {
    void *metaInterface;
    void (*declare)(void *, const char *, const char *);
};
typedef Meta MetaGlue;
typedef struct {
    void *uiInterface;
    void (*openTabBox)(void *, const char *);
    void (*openHorizontalBox)(void *, const char *);
    void (*openVerticalBox)(void *, const char *);
    void (*closeBox)(void *);
    void (*addHorizontalSlider)(void *, const char *, float *, float, float, float, float);
} UIGlue;
#include "linear.h"

enum { CHANNELS = 16, BLOCK = 64, BLOCKS = 20000 };

int main(void) {
    static float input[CHANNELS][BLOCK], output[2][BLOCK];
    float *inputs[CHANNELS], *outputs[2] = {output[0], output[1]};
    for (int i = 0; i < CHANNELS; i++) {
        inputs[i] = input[i];
        for (int n = 0; n < BLOCK; n++) input[i][n] = (float)rand() / (float)RAND_MAX - 0.5f;
    }
    linear *dsp = newlinear();
    initlinear(dsp, 48000);
    double least = 1e9;
    for (int run = 0; run < 5; run++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        for (int block = 0; block < BLOCKS; block++) {
            dsp->fHslider0 = (float)(block % 720) / 2 - 180;
            computelinear(dsp, BLOCK, inputs, outputs);
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        double spent = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
        if (spent < least) least = spent;
    }
    printf("%.3f\n", least / ((double)BLOCKS * BLOCK));
    return 0;
}
