import type { Route } from "../../http/route.ts";
import { apiUrl, openApiDocument } from "./document.ts";
import { slicedJson } from "./slices.ts";
import { placeOfApi, swagger2Document } from "./swagger2.ts";

/** The API document in both forms, as JSON. */
export interface ApiDocuments {
  readonly openapi3: string;
  readonly swagger2: string;
}

/** Inserted by the build, for `NOWHERE`; when run from source, built from its routes. */
declare const HEARTH_API_DOCUMENTS: ApiDocuments;
const built = typeof HEARTH_API_DOCUMENTS === "undefined" ? undefined : HEARTH_API_DOCUMENTS;

/** A placeholder for the server's address. */
export const NOWHERE = "http://nowhere.invalid/";

/** Takes the thread a tenth of a second in total, in slices. */
export async function makeDocuments(routes: readonly Route[], rootUrl: string): Promise<ApiDocuments> {
  const document = await openApiDocument(routes, rootUrl);
  return {
    openapi3: await slicedJson(document),
    swagger2: await slicedJson(await swagger2Document(document, rootUrl)),
  };
}

/** The documents for a server at that address. @param routes requested if no build has made them */
export async function documentsFor(rootUrl: string, routes: () => Promise<readonly Route[]>): Promise<ApiDocuments> {
  if (!built) return makeDocuments(await routes(), rootUrl);
  return {
    openapi3: built.openapi3.replace(placeInJson(openApiPlace, NOWHERE), () => placeInJson(openApiPlace, rootUrl)),
    swagger2: built.swagger2.replace(placeInJson(placeOfApi, NOWHERE), () => placeInJson(placeOfApi, rootUrl)),
  };
}

const openApiPlace = (rootUrl: string) => ({ url: apiUrl(rootUrl) });

/** `"host":…,"schemes":…`, without the surrounding braces. */
function placeInJson(place: (rootUrl: string) => object, rootUrl: string): string {
  return JSON.stringify(place(rootUrl)).slice(1, -1);
}
