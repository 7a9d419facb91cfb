import { find, keepStill } from "../components/client/dom.ts";

/** The list of jobs is not refreshed while a dialog about one of them is open. */
const catchUp = keepStill("jobs", "job.changed", () => find("#jobs dialog[open]").length > 0);
document.addEventListener("close", catchUp, true);
