import { areas } from "./areas.ts";
import { ErrorMessages, type ErrorWords, frameErrorWords } from "./http/error-words.ts";

/** The API's messages for refusals of services, from the frame and every area. */
export function errorMessages(): ErrorMessages {
  return new ErrorMessages([
    frameErrorWords,
    ...areas.flatMap(({ errorWords }): ErrorWords[] => (errorWords ? [errorWords] : [])),
  ]);
}
