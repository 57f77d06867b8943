package io.myolotrain.core.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CanonicalCodecTest {
    public enum Colour {
        RED,
        GREEN
    }

    public sealed interface Form {}

    public record Circle(double radius) implements Form {}

    public record Square(int side, boolean filled) implements Form {}

    public record Everything(
            int i,
            long l,
            double d,
            boolean b,
            String text,
            Colour colour,
            Optional<Long> maybe,
            List<Form> forms,
            SortedMap<String, List<Integer>> map) {}

    public record Positive(int value) {
        public Positive {
            if (value < 1) {
                throw new IllegalArgumentException("value must be >= 1: value=" + value);
            }
        }
    }

    private final CanonicalCodec codec = new CanonicalCodec();
    private final Everything everything = new Everything(
            Integer.MIN_VALUE,
            Long.MAX_VALUE,
            -0.0,
            true,
            "schön ☃",
            Colour.GREEN,
            Optional.of(-1L),
            List.of(new Circle(Double.NaN), new Square(3, false)),
            new TreeMap<>(java.util.Map.of("b", List.of(1, 2), "a", List.of())));

    @Test
    void whatIsDecodedEqualsWhatWasEncoded() {
        byte[] bytes = codec.encode(everything, Everything.class);
        assertThat(codec.decode(bytes, Everything.class)).isEqualTo(everything);
        assertThat(new CanonicalCodec().encode(codec.decode(bytes, Everything.class), Everything.class))
                .isEqualTo(bytes);
    }

    @Test
    void aSealedTypeKeepsItsKind() {
        Form square = new Square(-5, true);
        assertThat(codec.decode(codec.encode(square, Form.class), Form.class)).isEqualTo(square);
        assertThat(codec.encode(square, Form.class)).isNotEqualTo(codec.encode(new Circle(1), Form.class));
    }

    @Test
    void everyNotANumberHasTheSameBytes() {
        double other = Double.longBitsToDouble(0x7ff8000000000123L);
        assertThat(codec.encode(new Circle(other), Circle.class))
                .isEqualTo(codec.encode(new Circle(Double.NaN), Circle.class));
    }

    @Test
    void cutBytesAreRefusedWithTheRule() {
        byte[] bytes = codec.encode(everything, Everything.class);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> codec.decode(cut, Everything.class))
                    .isInstanceOf(MalformedEncodingException.class);
        }
        assertThatThrownBy(() -> codec.decode(Arrays.copyOf(bytes, bytes.length + 1), Everything.class))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("ends with its bytes");
    }

    @Test
    void damagedBytesNeverBringAnythingButAValueOrARefusal() {
        byte[] bytes = codec.encode(everything, Everything.class);
        long seed = 11;
        var random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = bytes.clone();
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(codec.decode(damaged, Everything.class)).isNotNull();
            } catch (MalformedEncodingException expected) {
                refused++;
            }
        }
        assertThat(refused).as("seed=%s", seed).isGreaterThan(10_000);
    }

    @Test
    void aHugeLengthAllocatesNothing() {
        var sink = new ByteSink();
        sink.varint(Integer.MAX_VALUE);
        assertThatThrownBy(() -> codec.decode(sink.toBytes(), String.class))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("a length is at most what is left: length=2147483647 left=0");
    }

    @Test
    void aRecordsOwnRulesHoldForDecodedValues() {
        var sink = new ByteSink();
        sink.zigzag(0);
        assertThatThrownBy(() -> codec.decode(sink.toBytes(), Positive.class))
                .isInstanceOf(MalformedEncodingException.class)
                .hasRootCauseMessage("value must be >= 1: value=0");
    }

    @Test
    void unorderedTypesAreNotEncoded() {
        assertThatThrownBy(() -> codec.encode(java.util.Map.of(), java.util.Map.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SortedMap");
    }
}
