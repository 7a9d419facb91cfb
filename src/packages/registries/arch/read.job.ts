import { BadRequest } from "../../../kernel/errors.ts";
import { packedFacts } from "../../indices/facts.ts";
import { type ArchFacts, factsOf } from "./facts.ts";

export interface ReadPackage extends Omit<ArchFacts, "file"> {
  readonly architecture: string;
  /** Of the file, packed. */
  readonly facts: string;
}

/** What a package of Arch says of itself; all of it is unpacked for that. @returns a failure's code: it is not valid */
export async function run({ path }: { readonly path: string }): Promise<ReadPackage | { readonly invalid: string }> {
  try {
    const { file, ...read } = await factsOf(Bun.file(path));
    return { ...read, architecture: file.architecture, facts: packedFacts(file) };
  } catch (error) {
    if (error instanceof BadRequest) return { invalid: error.code };
    throw error;
  }
}
