/** Component behaviours, found by `data-` attributes so that swapped-in parts have them too. */
import { startCopying } from "./client/copying.ts";
import { startDialogs } from "./client/dialogs.ts";
import { startFinder } from "./client/finder.ts";
import { startForms } from "./client/forms.ts";
import { startKeys } from "./client/keys.ts";
import { startMenus } from "./client/menus.ts";
import { startOpenedParts } from "./client/opened-parts.ts";
import { startPageModules } from "./client/page-modules.ts";
import { startTimes } from "./client/times.ts";

startTimes();
startCopying();
startMenus();
startOpenedParts();
startDialogs();
startForms();
startKeys();
startPageModules();
startFinder();
