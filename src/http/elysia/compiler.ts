import { onDemand } from "../../kernel/on-demand.ts";

const load = () => require("@sinclair/typebox/compiler") as typeof import("@sinclair/typebox/compiler");

export const TypeCompiler = onDemand(() => load().TypeCompiler);
export const TypeCheck = onDemand(() => load().TypeCheck);
