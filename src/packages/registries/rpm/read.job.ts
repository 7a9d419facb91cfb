import { BadRequest } from "../../../kernel/errors.ts";
import { packedFacts } from "../../indices/facts.ts";
import { factsOf, type RpmDescription, type RpmSections } from "./facts.ts";

export interface ReadRpm {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly metadata: RpmDescription;
  /** Of the file, packed. */
  readonly facts: string;
}

/** What an rpm package says of itself. @returns a failure's code: it is not valid */
export function run(sections: RpmSections): ReadRpm | { readonly invalid: string } {
  try {
    const { file, metadata, name, version } = factsOf(sections);
    return { name, version, architecture: file.architecture, metadata, facts: packedFacts(file) };
  } catch (error) {
    if (error instanceof BadRequest) return { invalid: error.code };
    throw error;
  }
}
