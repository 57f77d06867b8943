package io.myolotrain.core.encoding;

/** Numbers, truth and text. */
enum ScalarShapes implements Shape {
    INT {
        @Override
        public void write(Object value, ByteSink sink) {
            sink.zigzag((Integer) value);
        }

        @Override
        public Object read(ByteSource source) {
            long value = source.zigzag();
            if (value != (int) value) {
                throw new MalformedEncodingException("an int has 32 bits: value=" + value);
            }
            return (int) value;
        }
    },
    LONG {
        @Override
        public void write(Object value, ByteSink sink) {
            sink.zigzag((Long) value);
        }

        @Override
        public Object read(ByteSource source) {
            return source.zigzag();
        }
    },
    DOUBLE {
        @Override
        public void write(Object value, ByteSink sink) {
            sink.fixed64(Double.doubleToLongBits((Double) value)); // every NaN has the same bits
        }

        @Override
        public Object read(ByteSource source) {
            return Double.longBitsToDouble(source.fixed64());
        }
    },
    BOOLEAN {
        @Override
        public void write(Object value, ByteSink sink) {
            sink.u8((Boolean) value ? 1 : 0);
        }

        @Override
        public Object read(ByteSource source) {
            int value = source.u8();
            if (value > 1) {
                throw new MalformedEncodingException("a boolean is 0 or 1: value=" + value);
            }
            return value == 1;
        }
    },
    TEXT {
        @Override
        public void write(Object value, ByteSink sink) {
            sink.text((String) value);
        }

        @Override
        public Object read(ByteSource source) {
            return source.text();
        }
    }
}
