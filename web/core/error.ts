/** A failure in words, with its stable id and its place in the file or command.
 *
 * The ids are those of include/sinew/messages.h, and three of this package's own, for a session
 * that cannot be used: "session.disposed", "session.broken" (its module trapped), and "session.module"
 * (sinew.wasm is not the one this package was made with). */
export class SinewError extends Error {
  constructor(
    readonly id: string,
    message: string,
    readonly pointer = "",
    readonly line = 0,
    readonly column = 0,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "SinewError";
  }
}
