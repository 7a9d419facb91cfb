export { TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
export { TransformDecodeError, Value } from "@sinclair/typebox/value";
