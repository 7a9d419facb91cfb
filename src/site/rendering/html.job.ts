import { type ApiHtmlOptions, apiHtml } from "./html.ts";

export interface ApiHtmlInput {
  readonly html: string;
  readonly options: ApiHtmlOptions;
}

/** A long rendered text in the form that clients of the API know. */
export async function run({ html, options }: ApiHtmlInput): Promise<string> {
  return apiHtml(html, options);
}
