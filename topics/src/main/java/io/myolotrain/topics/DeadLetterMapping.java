package io.myolotrain.topics;

import java.nio.ByteBuffer;

final class DeadLetterMapping implements AvroMapping<DeadLetter, io.myolotrain.schemas.avro.DeadLetter> {

    @Override
    public Class<io.myolotrain.schemas.avro.DeadLetter> type() {
        return io.myolotrain.schemas.avro.DeadLetter.class;
    }

    @Override
    public io.myolotrain.schemas.avro.DeadLetter toAvro(DeadLetter letter) {
        return new io.myolotrain.schemas.avro.DeadLetter(
                letter.topic(),
                letter.partition(),
                letter.offset(),
                letter.reason(),
                ByteBuffer.wrap(letter.bytes()),
                letter.atMs());
    }

    @Override
    public DeadLetter fromAvro(io.myolotrain.schemas.avro.DeadLetter record) {
        ByteBuffer value = record.getBytes().duplicate();
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        return new DeadLetter(
                record.getTopic(),
                record.getPartition(),
                record.getOffset(),
                record.getReason(),
                bytes,
                record.getAtMs());
    }
}
