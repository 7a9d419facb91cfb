import { BadRequest } from "../../../kernel/errors.ts";
import { packedFacts } from "../../indices/facts.ts";
import { factsOf, type RpmDescription, type RpmSections } from "./facts.ts";

export interface ReadRpm {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly metadata: RpmDescription;
  /** The file's facts, packed. */
  readonly facts: string;
}

/** Reads the metadata of an rpm package. @returns the failure's code if it is invalid */
export function run(sections: RpmSections): ReadRpm | { readonly invalid: string } {
  try {
    const { file, metadata, name, version } = factsOf(sections);
    return { name, version, architecture: file.architecture, metadata, facts: packedFacts(file) };
  } catch (error) {
    if (error instanceof BadRequest) return { invalid: error.code };
    throw error;
  }
}
