package io.myolotrain.worker.data;

/** A stream of tokens together with its cut into samples. */
final class CutTokens implements TokenSource {
    private final Tokens tokens;
    private final SampleCut cut;
    private final int vocabulary;

    CutTokens(Tokens tokens, int sequenceLength, int vocabulary) {
        this.tokens = tokens;
        this.cut = SampleCut.of(tokens.count(), sequenceLength, tokens.description());
        this.vocabulary = vocabulary;
    }

    @Override
    public long samples() {
        return cut.training();
    }

    @Override
    public long validationSamples() {
        return cut.validation();
    }

    @Override
    public int vocabulary() {
        return vocabulary;
    }

    @Override
    public void read(long sample, int[] out, int offset) {
        tokens.read(cut.trainingStart(sample), cut.length(), out, offset);
    }

    @Override
    public void readValidation(long sample, int[] out, int offset) {
        tokens.read(cut.validationStart(sample), cut.length(), out, offset);
    }

    @Override
    public String fingerprint() {
        return tokens.fingerprint();
    }

    @Override
    public void close() {
        tokens.close();
    }
}
