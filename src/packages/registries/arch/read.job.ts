import { BadRequest } from "../../../kernel/errors.ts";
import { type ArchFacts, factsOf } from "./facts.ts";

/** What a package of Arch says of itself; all of it is unpacked for that. @returns a failure's code: it is not valid */
export async function run({ path }: { readonly path: string }): Promise<ArchFacts | { readonly invalid: string }> {
  try {
    return await factsOf(Bun.file(path));
  } catch (error) {
    if (error instanceof BadRequest) return { invalid: error.code };
    throw error;
  }
}
