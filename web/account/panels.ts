import type { Call } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import type { Children } from "../jsx/types.ts";

/** The panels that areas add to a settings page, in order. */
export async function settingsPanels(services: WebServices, call: Call, section: string): Promise<Children[]> {
  const panels: Children[] = [];
  for (const panel of services.settingsPanels)
    if (panel.section === section) panels.push(await panel.show(services, call));
  return panels;
}
