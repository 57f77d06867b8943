// Files that the page makes itself.

export function download(name, type, content) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

const cell = (value) => {
  const text = value === null || value === undefined ? '' : String(value);
  // A cell that starts like a formula is told to be text: metric names come from outside.
  const safe = /^[=+\-@\t]/.test(text) && !/^[+-]?(\d|\.\d|Inf|NaN)/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const csv = (header, rows) => `${[header, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
