#include "CCycleCounter.h"
