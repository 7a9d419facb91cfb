/** An expression that cannot be parsed, exceeds a limit, or fails. */
export class ExpressionError extends Error {
  override name = "ExpressionError";
}
