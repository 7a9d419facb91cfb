import { BadRequest } from "../../../kernel/errors.ts";
import { packedFacts } from "../../indices/facts.ts";
import { type ArchFacts, factsOf } from "./facts.ts";

export interface ReadPackage extends Omit<ArchFacts, "file"> {
  readonly architecture: string;
  /** The file's facts, packed. */
  readonly facts: string;
}

/** Reads the metadata of an Arch package, which means unpacking it. @returns the failure's code if it is invalid */
export async function run({ path }: { readonly path: string }): Promise<ReadPackage | { readonly invalid: string }> {
  try {
    const { file, ...read } = await factsOf(Bun.file(path));
    return { ...read, architecture: file.architecture, facts: packedFacts(file) };
  } catch (error) {
    if (error instanceof BadRequest) return { invalid: error.code };
    throw error;
  }
}
