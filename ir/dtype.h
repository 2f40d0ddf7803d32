/* Element types, in the layout of DLPack's DLDataType. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* DLDataTypeCode; the float8/6/4 codes only parse and print. */
enum ir_dtype_code {
    IR_INT = 0,
    IR_UINT = 1,
    IR_FLOAT = 2,
    IR_HANDLE = 3, /* opaque pointer; with 0 bits: void, "unknown" in a tensor type */
    IR_BFLOAT = 4,
    IR_COMPLEX = 5,
    IR_BOOL = 6,
    IR_FLOAT8_E3M4 = 7,
    IR_FLOAT8_E4M3 = 8,
    IR_FLOAT8_E4M3B11FNUZ = 9,
    IR_FLOAT8_E4M3FN = 10,
    IR_FLOAT8_E4M3FNUZ = 11,
    IR_FLOAT8_E5M2 = 12,
    IR_FLOAT8_E5M2FNUZ = 13,
    IR_FLOAT8_E8M0FNU = 14,
    IR_FLOAT6_E2M3FN = 15,
    IR_FLOAT6_E3M2FN = 16,
    IR_FLOAT4_E2M1FN = 17,
};

struct ir_dtype {
    uint8_t code; /* enum ir_dtype_code */
    uint8_t bits; /* of one lane */
    uint16_t lanes;
};

#define IR_DTYPE(code_, bits_) ((struct ir_dtype){.code = (code_), .bits = (bits_), .lanes = 1})
#define IR_I32                 IR_DTYPE(IR_INT, 32)
#define IR_I64                 IR_DTYPE(IR_INT, 64)
#define IR_F16                 IR_DTYPE(IR_FLOAT, 16)
#define IR_F32                 IR_DTYPE(IR_FLOAT, 32)
#define IR_F64                 IR_DTYPE(IR_FLOAT, 64)
#define IR_BF16                IR_DTYPE(IR_BFLOAT, 16)
#define IR_B1                  IR_DTYPE(IR_BOOL, 8)
#define IR_VOID                ((struct ir_dtype){.code = IR_HANDLE, .bits = 0, .lanes = 0})
#define IR_PTR                 IR_DTYPE(IR_HANDLE, 64)

bool ir_dtype_equal(struct ir_dtype a, struct ir_dtype b);
/* A number for each dtype: for hashes. */
static inline uint32_t ir_dtype_key(struct ir_dtype dtype)
{
    return (uint32_t)dtype.code << 24 | (uint32_t)dtype.bits << 16 | dtype.lanes;
}
bool ir_dtype_is_void(struct ir_dtype dtype);
bool ir_dtype_is_int(struct ir_dtype dtype);   /* signed or unsigned; not bool */
bool ir_dtype_is_float(struct ir_dtype dtype); /* IEEE float or bfloat16 */
bool ir_dtype_is_bool(struct ir_dtype dtype);

/* Bytes of one element as stored (bool is 1), all lanes. */
unsigned ir_dtype_bytes(struct ir_dtype dtype);

/* "float32", "int32x4", "bool", "bfloat16", "handle", "void"; valid for ever or until @buffer goes. */
const char *ir_dtype_name(struct ir_dtype dtype, char buffer[static 32]);

/* Reads such a name; false if it is none. */
bool ir_dtype_parse(const char *name, struct ir_dtype *out_dtype);

/* True for the types that loops compute with: int and uint 8 to 64, float16/32/64, bfloat16, bool. */
bool ir_dtype_can_compute(struct ir_dtype dtype);
