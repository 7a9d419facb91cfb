import type { Route } from "../../http/route.ts";
import { apiUrl, openApiDocument } from "./document.ts";
import { slicedJson } from "./slices.ts";
import { placeOfApi, swagger2Document } from "./swagger2.ts";

/** The API document in both forms, as JSON. */
export interface ApiDocuments {
  readonly openapi3: string;
  readonly swagger2: string;
}

/** Written in by the build, for `NOWHERE`; a run from source makes them of its routes. */
declare const HEARTH_API_DOCUMENTS: ApiDocuments;
const built = typeof HEARTH_API_DOCUMENTS === "undefined" ? undefined : HEARTH_API_DOCUMENTS;

/** Stands where a server's address will be. */
export const NOWHERE = "http://nowhere.invalid/";

/** Takes a tenth of a second of the thread, in slices. */
export async function makeDocuments(routes: readonly Route[], rootUrl: string): Promise<ApiDocuments> {
  const document = await openApiDocument(routes, rootUrl);
  return {
    openapi3: await slicedJson(document),
    swagger2: await slicedJson(await swagger2Document(document, rootUrl)),
  };
}

/** The documents for a server at that address. @param routes asked for where no build has made them */
export async function documentsFor(rootUrl: string, routes: () => Promise<readonly Route[]>): Promise<ApiDocuments> {
  if (!built) return makeDocuments(await routes(), rootUrl);
  return {
    openapi3: built.openapi3.replace(placeInJson(openApiPlace, NOWHERE), () => placeInJson(openApiPlace, rootUrl)),
    swagger2: built.swagger2.replace(placeInJson(placeOfApi, NOWHERE), () => placeInJson(placeOfApi, rootUrl)),
  };
}

const openApiPlace = (rootUrl: string) => ({ url: apiUrl(rootUrl) });

/** `"host":…,"schemes":…`, without the braces around it. */
function placeInJson(place: (rootUrl: string) => object, rootUrl: string): string {
  return JSON.stringify(place(rootUrl)).slice(1, -1);
}
