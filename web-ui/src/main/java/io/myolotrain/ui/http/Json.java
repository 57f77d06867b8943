package io.myolotrain.ui.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;

/** JSON as the browser gets it: a number that is not finite is null, never a bare NaN. */
final class Json {
    static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(Double.class, new FiniteOrNull())
                    .addSerializer(double.class, new FiniteOrNull())
                    .addSerializer(Float.class, new FiniteFloatOrNull()))
            .build();

    private Json() {}

    static Buffer encode(Object body) {
        try {
            return Buffer.buffer(MAPPER.writeValueAsBytes(body));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(
                    "every view must have a JSON form: view=" + body.getClass().getName(), e);
        }
    }

    private static final class FiniteFloatOrNull extends JsonSerializer<Float> {
        @Override
        public void serialize(Float value, JsonGenerator json, SerializerProvider provider) throws IOException {
            if (Float.isFinite(value)) {
                json.writeNumber(value);
            } else {
                json.writeNull();
            }
        }
    }

    private static final class FiniteOrNull extends JsonSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator json, SerializerProvider provider) throws IOException {
            if (Double.isFinite(value)) {
                json.writeNumber(value);
            } else {
                json.writeNull();
            }
        }
    }
}
