/** An expression that cannot be read, asks for too much, or fails. */
export class ExpressionError extends Error {
  override name = "ExpressionError";
}
