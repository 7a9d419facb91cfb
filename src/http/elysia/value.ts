import { onDemand } from "../../kernel/on-demand.ts";

const load = () => require("@sinclair/typebox/value") as typeof import("@sinclair/typebox/value");

export const Value = onDemand(() => load().Value);

export const TransformDecodeError = {
  [Symbol.hasInstance]: (error: unknown) => error instanceof load().TransformDecodeError,
};
