import { BadRequest } from "../../../kernel/errors.ts";
import { factsOf, type RpmFacts, type RpmSections } from "./facts.ts";

/** What an rpm package says of itself. @returns a failure's code: it is not valid */
export function run(sections: RpmSections): RpmFacts | { readonly invalid: string } {
  try {
    return factsOf(sections);
  } catch (error) {
    if (error instanceof BadRequest) return { invalid: error.code };
    throw error;
  }
}
