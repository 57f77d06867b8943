package io.myolotrain.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Columns for people: as wide as their widest cell, numbers to the right, two spaces between. */
public final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final int columns;

    public Table(String... headings) {
        columns = headings.length;
        rows.add(List.of(headings));
    }

    public Table row(Object... cells) {
        if (cells.length != columns) {
            throw new IllegalArgumentException(
                    "a row has as many cells as the table has columns: cells=" + cells.length + " columns=" + columns);
        }
        rows.add(Arrays.stream(cells).map(String::valueOf).toList());
        return this;
    }

    public boolean isEmpty() {
        return rows.size() == 1;
    }

    @Override
    public String toString() {
        int[] width = new int[columns];
        boolean[] numeric = new boolean[columns];
        for (int c = 0; c < columns; c++) {
            numeric[c] = rows.size() > 1;
            for (int r = 0; r < rows.size(); r++) {
                String cell = rows.get(r).get(c);
                width[c] = Math.max(width[c], cell.length());
                numeric[c] &= r == 0
                        || cell.equals("-")
                        || (!cell.isEmpty()
                                && Character.isDigit(cell.charAt(cell.length() - 1))
                                && cell.matches("[-+]?[0-9][0-9,.eE+-]*"));
            }
        }
        StringBuilder out = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < columns; c++) {
                String padding = " ".repeat(width[c] - row.get(c).length());
                line.append(c == 0 ? "" : GAP)
                        .append(numeric[c] ? padding : "")
                        .append(row.get(c))
                        .append(numeric[c] ? "" : padding);
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }
}
