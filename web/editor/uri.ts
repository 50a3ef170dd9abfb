/** The path that a URI of a file or of an address means. As in the core, a % that no two digits
 * follow stands for itself ("100%.png" exists), and bytes that are no UTF-8 stop nobody, where
 * decodeURIComponent throws. */
export const decodePath = (uri: string): string =>
  uri.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(
      Uint8Array.from(escapes.slice(1).split("%"), (digits) => parseInt(digits, 16)),
    ),
  );
