#pragma once

int getpid(void);
