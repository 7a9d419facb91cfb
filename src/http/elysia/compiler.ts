import { onDemand } from "../../kernel/on-demand.ts";

const load = () => require("./checkers.ts") as typeof import("./checkers.ts");

export const TypeCompiler = onDemand(() => load().TypeCompiler);
export const TypeCheck = onDemand(() => load().TypeCheck);
