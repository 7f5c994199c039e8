#pragma once
#include <sys/timex.h>
