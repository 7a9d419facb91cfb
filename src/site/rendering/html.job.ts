import { type ApiHtmlOptions, apiHtml } from "./html.ts";

export interface ApiHtmlInput {
  readonly html: string;
  readonly options: ApiHtmlOptions;
}

/** Converts a long rendered text to the form that API clients expect. */
export async function run({ html, options }: ApiHtmlInput): Promise<string> {
  return apiHtml(html, options);
}
