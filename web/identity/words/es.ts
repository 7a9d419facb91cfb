import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  signIn: "Iniciar sesión",
  nameOrEmail: "Nombre de usuario o correo electrónico",
  password: "Contraseña",
  staySignedIn: "Mantener la sesión iniciada en este dispositivo",
  newHere: "¿Es tu primera vez aquí? <link>Crea una cuenta</link>",
  wrongCredentials: "El nombre de usuario o la contraseña no son correctos.",
  prohibited: "Esta cuenta tiene prohibido iniciar sesión. Contacta con el administrador del sitio.",
  inactive: "Esta cuenta no está activada. Contacta con el administrador del sitio.",
  tooManyAttempts: {
    one: "Demasiados intentos. Inténtalo de nuevo en {count} segundo.",
    other: "Demasiados intentos. Inténtalo de nuevo en {count} segundos.",
  },

  signOut: "Cerrar sesión",
  signOutQuestion: "¿Cerrar sesión?",
  signedInAs: "Has iniciado sesión como {name}.",
  stayHere: "Seguir con la sesión",

  register: "Registrarse",
  createAnAccount: "Crear una cuenta",
  createAccount: "Crear cuenta",
  registrationClosed: "El registro está desactivado en este sitio. Pide una cuenta a su administrador.",
  haveAccount: "¿Ya tienes una cuenta? <link>Inicia sesión</link>",
  accountCreated: "Tu cuenta se ha creado.",

  userName: "Nombre de usuario",
  userNameHint: "Letras, dígitos, guion, punto y guion bajo. Forma parte de tus direcciones.",
  email: "Correo electrónico",
  newPassword: "Contraseña nueva",
  passwordAgain: "Repite la contraseña",
  passwordHint: {
    one: "Al menos {count} carácter. Una contraseña larga y fácil de recordar es mejor que una corta llena de símbolos.",
    other:
      "Al menos {count} caracteres. Una contraseña larga y fácil de recordar es mejor que una corta llena de símbolos.",
  },

  setUp: "Instalación",
  setUpTitle: "Enciende el hogar",
  setUpLead: "Este servidor es nuevo. Crea su primera cuenta; será la del administrador.",
  setUpToken: "Token de instalación",
  setUpTokenHint: "El servidor lo escribió en su consola al iniciarse. Demuestra que este servidor es tuyo.",
  setUpTokenWrong:
    "Este no es el token de instalación de este servidor. Toma el enlace completo de su consola o de su registro.",
  createAdministrator: "Crear administrador",
  welcome: "Te damos la bienvenida. {name} administra este sitio.",

  changePassword: "Cambiar contraseña",
  newPasswordTitle: "Elige una contraseña nueva",
  newPasswordLead: "Otra persona conoce la actual. Elige la tuya antes de continuar.",
  setPassword: "Establecer contraseña",
  samePassword: "Elige una que no sea la contraseña actual.",
  passwordChanged: "Tu contraseña se ha cambiado.",

  forgottenPassword: "¿Olvidaste tu contraseña?",
  forgottenTitle: "Contraseña olvidada",
  forgottenLead: "Te enviaremos un correo con un enlace para elegir una contraseña nueva.",
  sendMail: "Enviar el correo",
  sendAgain: "Reenviar el correo",
  lookIntoMail: "Revisa tu correo",
  mailSent:
    "Si una cuenta de este sitio tiene esta dirección, va en camino un correo con un enlace. Revisa también el correo no deseado. Se podrá enviar otro en tres minutos.",
  noMailForPassword: "Este sitio no envía correos. Su administrador puede asignarte una contraseña nueva.",
  noMailToActivate: "Este sitio no envía correos. Su administrador puede activar tu cuenta.",
  tooManyRequests: {
    one: "Demasiadas solicitudes. Inténtalo de nuevo en {count} segundo.",
    other: "Demasiadas solicitudes. Inténtalo de nuevo en {count} segundos.",
  },
  deadLinkTitle: "Este enlace ya no funciona",
  deadLink: "El enlace ya se usó, ha caducado o está incompleto. Pide uno nuevo.",
  newLink: "Pedir un enlace nuevo",
  recoverTitle: "Establecer una contraseña nueva",
  recoverLead: "Para la cuenta {name}. Se cerrarán todas sus sesiones.",
  recovered: "Tu contraseña nueva está lista y se cerraron todas tus demás sesiones.",
  activateTitle: "Activa tu cuenta",
  activateLead: "Escribe la contraseña que elegiste para {name}.",
  activateAgainLead:
    "Tu cuenta se activará cuando abras el enlace del correo que se te envió. Se puede enviar de nuevo.",
  activate: "Activar",
  activated: "Te damos la bienvenida, {name}. Tu cuenta está activa.",
  activationSent:
    "Va en camino un correo con un enlace a {email}. Abre el enlace para activar {name}; funciona durante tres horas.",
  waitsForAdministrator: "La cuenta {name} se ha creado. Se podrá usar en cuanto el administrador del sitio la active.",
  passwordWrong: "La contraseña no es correcta.",
  confirmTitle: "Confirma tu dirección",
  confirmQuestion:
    "{email} pasará a ser una dirección confirmada de {name}. Los commits con ella se mostrarán como tuyos.",
  confirm: "Confirmar",
  notNow: "Ahora no",
  addressConfirmed: "La dirección {email} está confirmada.",

  mailActivateSubject: "Activa tu cuenta en {site}",
  mailActivate: "Alguien, esperamos que tú, registró la cuenta {name} en {site} con esta dirección.",
  mailActivateAction: "Activar la cuenta",
  mailActivateNote:
    "El enlace funciona una sola vez, durante {minutes} minutos. Si no fuiste tú, ignora este correo: sin el enlace, la cuenta queda sin usar.",
  mailConfirmSubject: "Confirma tu dirección en {site}",
  mailConfirm: "La cuenta {name} de {site} agregó esta dirección como propia. Confírmala si la cuenta es tuya.",
  mailConfirmAction: "Confirmar la dirección",
  mailConfirmNote:
    "El enlace funciona una sola vez, durante {minutes} minutos, y solo con la sesión iniciada como {name}. Si no fuiste tú, ignora este correo.",
  mailResetSubject: "Establece una contraseña nueva en {site}",
  mailReset: "Alguien, esperamos que tú, pidió una contraseña nueva para la cuenta {name} en {site}.",
  mailResetAction: "Establecer una contraseña nueva",
  mailResetNote:
    "El enlace funciona una sola vez, durante {minutes} minutos. Si no fuiste tú, ignora este correo: la contraseña no cambiará.",
  mailSecuritySubject: "Seguridad de tu cuenta {name} en {site}",
  mailPasswordChanged: "Se ha cambiado la contraseña de tu cuenta {name} en {site}.",
  mailPasswordRecovered:
    "Se ha definido una contraseña nueva para tu cuenta {name} en {site} mediante el enlace de un correo.",
  mailPasscodesEnabled:
    "Se han activado los códigos de un solo uso para tu cuenta {name} en {site}. A partir de ahora se pedirá uno al iniciar sesión.",
  mailPasscodesDisabled: "Se han desactivado los códigos de un solo uso de tu cuenta {name} en {site}.",
  mailPasskeyAdded: "Se ha añadido la llave de acceso «{what}» a tu cuenta {name} en {site}.",
  mailPasskeyRemoved: "Se ha eliminado la llave de acceso «{what}» de tu cuenta {name} en {site}.",
  mailTwoFactorRemoved: "Se ha eliminado la autenticación en dos pasos de tu cuenta {name} en {site}.",
  mailKeyAdded: "Se ha añadido la clave «{what}» a tu cuenta {name} en {site}.",
  mailEmailAdded: "Se ha añadido la dirección {what} a tu cuenta {name} en {site}.",
  mailEmailPrimary:
    "{what} es ahora la dirección principal de tu cuenta {name} en {site}; los correos se enviarán allí.",
  mailNewSignIn:
    "Alguien, esperamos que tú, ha iniciado sesión en tu cuenta {name} en {site} desde una dirección de red que no se había usado antes.",
  mailSecurityFrom: "Ocurrió el {date} (UTC), desde {address}.",
  mailSecurityByServer: "Ocurrió el {date} (UTC), en el propio servidor.",
  mailSecurityAction: "Registro de seguridad",
  mailSecurityNote:
    "Si no has sido tú, define enseguida una contraseña nueva, cierra la sesión en todas partes y avisa a la administración del sitio.",
  mailTestSubject: "El correo de {site} funciona",
  mailTest: "Esto es una prueba. El operador de {site} la envió desde la terminal, y ha llegado.",
  "account.missing": "No hay ninguna cuenta llamada {name}.",
  "account.still-owns-repositories": "Esta cuenta todavía posee repositorios.",
  "account.password-short": "La contraseña debe tener al menos {min} caracteres.",
  "account.password-too-short": "La contraseña debe tener al menos {min} caracteres.",
  signInWith: "Iniciar sesión con {name}",
  "account.password-elsewhere": "La contraseña de esta cuenta la guarda su fuente de inicio de sesión.",
  "account.name-elsewhere": "El nombre de esta cuenta lo guarda su fuente de inicio de sesión.",
  "account.password-form-off": "Aquí no se aceptan contraseñas.",
  "account.openid-off": "Aquí no se ofrece OpenID 2.",
  "account.password-wrong": "Esta contraseña no es correcta.",
  "account.no-password-for-kind": "Solo las cuentas de personas tienen contraseña.",

  passcodeOrRecovery: "Código de un solo uso o de recuperación",
  isRecoveryCode: "Es un código de recuperación",
  rememberStolen:
    "Alguien usó una copia de la cookie que mantenía tu sesión. Se cerró la sesión de ese dispositivo; inicia sesión de nuevo y mira tu registro de seguridad.",
};
