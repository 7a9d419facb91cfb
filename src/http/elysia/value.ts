import { onDemand } from "../../kernel/on-demand.ts";

const load = () => require("./checkers.ts") as typeof import("./checkers.ts");

export const Value = onDemand(() => load().Value);

export const TransformDecodeError = {
  [Symbol.hasInstance]: (error: unknown) => error instanceof load().TransformDecodeError,
};
