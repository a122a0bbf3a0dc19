#pragma once
// The parts of the C library that the renderer uses.
#include <math.h>
#include <stdlib.h>
#include <string.h>
