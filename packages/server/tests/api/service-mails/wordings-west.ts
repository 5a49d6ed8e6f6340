import type { Wordings } from './wordings.ts';

/** Wordings of mails that services send, `{code}` and `{button}` where they stand. */
export const WEST: Readonly<Record<string, Wordings>> = {
  en: {
    codes: [
      [
        'Your verification code',
        'Hi Priya,\n\nTo verify your email address, please use the following One Time Password (OTP):\n\n{code}\n\nDo not share this OTP with anyone. Our customer service team will never ask you for it.',
      ],
      [
        '{code} is your Northwind sign-in code',
        'Someone is trying to sign in to your account from Chrome on Windows near Austin, TX at 09:14.\n\nIf that is you, enter this code where you are signing in:\n\n{code}\n\nThe code stops working after 10 minutes.',
      ],
      [
        'Confirm it’s you',
        'We received a request to change the phone number of your account to (415) 555-0132. Your security code is {code}. If you didn’t ask for this, change your password.',
      ],
      [
        '[Northwind] Please verify your device',
        'Hey octo,\n\nA sign in attempt requires further verification because we did not recognize your device.\n\nDevice: Firefox on Ubuntu 24.04\nVerification code: {code}\n\nThanks,\nThe Northwind team',
      ],
      [
        'Finish logging in',
        'Here’s the temporary code for order 48291 you can copy and paste into the open browser window: {code}',
      ],
    ],
    links: [
      ['Confirm your email address', 'Thanks for signing up for Northwind! You’re one click away.', 'Confirm my email'],
      [
        'Reset your password',
        'We got a request to reset the password of your account. The link works for 60 minutes.',
        'Choose a new password',
      ],
      ['Your magic link', 'Click the button below to log in to Northwind. It can be used once.', 'Log in to Northwind'],
      [
        'Ada invited you to Atlas',
        'Ada Lovelace (ada@atlas.example) has invited you to the workspace Atlas.',
        'Join the workspace',
      ],
    ],
    none: [
      [
        'Your receipt from Northwind #1842-7731',
        'Receipt number 1842-7731\n\nAmount paid $48.20\nDate paid Nov 3, 2026\nPayment method Visa ending in 4242\n\nQuestions? Call +1 (800) 555-0199.',
      ],
      [
        '48 hours only: 20% off',
        'Use promo code SAVE20 at checkout before December 1, 2026. Free shipping on orders over $50.',
      ],
    ],
    footer: '© 2026 Northwind Labs, Inc. 548 Market St, PMB 72301, San Francisco, CA 94104\nCall 1-800-555-0199',
    unsubscribe: 'Unsubscribe',
    forwarded: ['From', 'Sent', 'To', 'Subject'],
  },
  de: {
    codes: [
      [
        'Ihr Sicherheitscode',
        'Guten Tag Frau Weber,\n\nIhr Sicherheitscode lautet:\n\n{code}\n\nBitte geben Sie ihn innerhalb von 15 Minuten ein. Teilen Sie diesen Code niemals mit anderen.',
      ],
      [
        'Anmeldung bestätigen',
        'Hallo Jonas,\n\nmit dem Code {code} schließt du die Anmeldung bei Nordwind ab. Deine Kundennummer 4471203 brauchst du dafür nicht.',
      ],
      [
        '{code} ist Ihr Nordwind-Bestätigungscode',
        'Sie haben sich am 28.11.2026 um 09:14 Uhr angemeldet. Zur Bestätigung Ihrer E-Mail-Adresse verwenden Sie bitte den Code {code}.',
      ],
      [
        'TAN für Ihre Überweisung',
        'Überweisung über 1.250,00 EUR an IBAN DE89 3704 0044 0532 0130 00. Ihre TAN: {code}. Geben Sie diese niemals telefonisch weiter.',
      ],
      [
        'Dein Einmalcode',
        'Nutze diesen Einmalcode, um dich einzuloggen:\n\n{code}\n\nNicht angefordert? Dann ignoriere diese E-Mail.',
      ],
    ],
    links: [
      [
        'Bitte bestätigen Sie Ihre E-Mail-Adresse',
        'vielen Dank für Ihre Registrierung bei Nordwind. Nur noch ein Schritt.',
        'E-Mail-Adresse bestätigen',
      ],
      [
        'Passwort zurücksetzen',
        'Sie haben Ihr Passwort vergessen? Kein Problem. Der Link ist 24 Stunden gültig.',
        'Neues Passwort vergeben',
      ],
      ['Dein Anmeldelink', 'Klicke auf den Button, um dich ohne Passwort anzumelden.', 'Jetzt einloggen'],
      ['Konto aktivieren', 'Ihr Konto wurde angelegt. Um es zu nutzen, aktivieren Sie es bitte.', 'Konto freischalten'],
    ],
    none: [
      [
        'Ihre Rechnung 2026-10432',
        'Rechnungsnummer: 2026-10432\nKundennummer: 883120\nBetrag: 59,90 €\nFällig am 12.12.2026',
      ],
      [
        'Ihr Paket ist unterwegs',
        'Ihre Bestellung 302-4471203 wird morgen zwischen 10:00 und 13:00 Uhr zugestellt. Sendungsnummer 00340434161094042557.',
      ],
    ],
    footer: 'Nordwind GmbH · Hauptstraße 12 · 10115 Berlin · HRB 104233 B\nTelefon 030 / 123 456-78',
    unsubscribe: 'Newsletter abbestellen',
    forwarded: ['Von', 'Gesendet', 'An', 'Betreff'],
  },
  fr: {
    codes: [
      [
        'Votre code de vérification',
        'Bonjour Camille,\n\nVoici votre code de vérification :\n\n{code}\n\nIl expire dans 10 minutes. Ne le communiquez à personne.',
      ],
      [
        'Connexion à votre compte',
        'Pour vous connecter depuis votre nouvel appareil, saisissez le code {code} sur la page de connexion.',
      ],
      [
        '{code} : votre code de sécurité Nordvent',
        'Votre code de sécurité à usage unique est {code}. Une question ? 01 44 55 66 77.',
      ],
      [
        'Validation de votre paiement',
        'Paiement de 84,90 € chez LIBRAIRIE DU PORT, carte se terminant par 4471. Votre mot de passe à usage unique : {code}',
      ],
      [
        'Confirmez votre inscription',
        'Merci de votre inscription ! Copiez le code ci-dessous dans l’application :\n\n{code}\n\nÀ très vite,\nL’équipe Nordvent',
      ],
    ],
    links: [
      [
        'Confirmez votre adresse e-mail',
        'Il ne vous reste plus qu’une étape pour créer votre compte.',
        'Confirmer mon adresse',
      ],
      [
        'Réinitialisation de votre mot de passe',
        'Vous avez demandé à changer de mot de passe. Ce lien est valable une heure.',
        'Réinitialiser mon mot de passe',
      ],
      ['Votre lien de connexion', 'Cliquez ci-dessous pour accéder à votre espace sans mot de passe.', 'Me connecter'],
      ['Activez votre compte', 'Votre compte a été créé par votre administrateur.', 'Activer mon compte'],
    ],
    none: [
      [
        'Votre commande n° 40882913',
        'Votre commande n° 40882913 a été expédiée. Numéro de suivi : 6A12345678901. Montant : 42,00 €.',
      ],
      ['Votre facture de novembre', 'Facture F2026-1182\nMontant TTC : 29,99 €\nRéférence client 77120443'],
    ],
    footer:
      'Nordvent SAS, 14 rue de la Paix, 75002 Paris – RCS Paris 812 345 678\nService client : 09 69 39 77 88 (prix d’un appel local)',
    unsubscribe: 'Se désabonner',
    forwarded: ['De', 'Envoyé', 'À', 'Objet'],
  },
  es: {
    codes: [
      [
        'Tu código de verificación',
        'Hola, Lucía:\n\nTu código de verificación es:\n\n{code}\n\nCaduca en 10 minutos. No lo compartas con nadie.',
      ],
      [
        'Código para iniciar sesión',
        'Usa el código {code} para iniciar sesión en Vientonorte. Si no has sido tú, cambia tu contraseña.',
      ],
      [
        '{code} es tu código de acceso',
        'Introduce {code} en la pantalla de inicio de sesión. Pedido 5512345 pendiente de confirmar.',
      ],
      [
        'Autoriza tu compra',
        'Compra de 62,40 € en LIBRERÍA SOL, tarjeta terminada en 4471. Clave de un solo uso: {code}',
      ],
      [
        'Completa tu registro',
        '¡Ya casi está! Escribe este código en la aplicación para completar tu registro:\n\n{code}\n\n¿Dudas? Llama al 900 123 456.',
      ],
    ],
    links: [
      ['Confirma tu correo electrónico', 'Gracias por registrarte en Vientonorte.', 'Confirmar mi correo'],
      [
        'Restablece tu contraseña',
        'Hemos recibido una solicitud para restablecer tu contraseña. El enlace caduca en 24 horas.',
        'Restablecer contraseña',
      ],
      ['Tu enlace de acceso', 'Pulsa el botón para entrar sin contraseña.', 'Iniciar sesión'],
      ['Activa tu cuenta', 'Tu cuenta está lista. Solo falta activarla.', 'Activar cuenta'],
    ],
    none: [
      [
        'Tu pedido 204-7733120 está en camino',
        'Número de pedido: 204-7733120\nNúmero de seguimiento: PQ4B8K0712345\nTotal: 34,95 €',
      ],
      ['Factura de noviembre', 'Factura 2026/1182\nImporte: 45,10 €\nReferencia: 88120443\nVencimiento: 15/12/2026'],
    ],
    footer: 'Vientonorte S.L., C/ Alcalá 42, 28014 Madrid. CIF B12345678\nAtención al cliente: 900 123 456',
    unsubscribe: 'Darse de baja',
    forwarded: ['De', 'Enviado el', 'Para', 'Asunto'],
  },
  it: {
    codes: [
      [
        'Il tuo codice di verifica',
        'Ciao Giulia,\n\necco il tuo codice di verifica:\n\n{code}\n\nScade tra 10 minuti. Non condividerlo con nessuno.',
      ],
      [
        'Accesso al tuo account',
        'Per completare l’accesso inserisci il codice {code}. Se non sei stato tu, contattaci al numero verde 800 123 456.',
      ],
      [
        '{code} è il tuo codice Ventonord',
        'Usa {code} come codice di sicurezza per confermare il tuo indirizzo e-mail.',
      ],
      [
        'Autorizza il pagamento',
        'Pagamento di 84,90 € presso LIBRERIA AL PORTO con carta che termina con 4471. Password monouso: {code}',
      ],
      [
        'Completa la registrazione',
        'Ci siamo quasi! Copia questo codice nell’app:\n\n{code}\n\nA presto,\nil team di Ventonord',
      ],
    ],
    links: [
      ['Conferma il tuo indirizzo e-mail', 'Grazie per esserti registrato su Ventonord.', 'Conferma e-mail'],
      [
        'Reimposta la password',
        'Abbiamo ricevuto una richiesta di reimpostazione della password. Il link scade tra un’ora.',
        'Reimposta password',
      ],
      ['Il tuo link di accesso', 'Fai clic sul pulsante per accedere senza password.', 'Accedi a Ventonord'],
      ['Attiva il tuo account', 'Il tuo account è stato creato.', 'Attiva account'],
    ],
    none: [
      [
        'Ordine 403-7712345 spedito',
        'Il tuo ordine 403-7712345 è stato spedito. Numero di spedizione 1Z999AA10123456784. Totale: 29,90 €.',
      ],
      ['Fattura n. 1182/2026', 'Importo: 58,00 €\nScadenza: 31/12/2026\nCodice cliente 8812044'],
    ],
    footer: 'Ventonord S.r.l., Via Garibaldi 12, 20121 Milano – P.IVA 01234567890\nTel. 02 1234 5678',
    unsubscribe: 'Annulla l’iscrizione',
    forwarded: ['Da', 'Inviato', 'A', 'Oggetto'],
  },
  pt: {
    codes: [
      [
        'Seu código de verificação',
        'Olá, Beatriz!\n\nSeu código de verificação é:\n\n{code}\n\nEle expira em 10 minutos. Não compartilhe com ninguém.',
      ],
      ['Código de acesso', 'Use o código {code} para entrar na sua conta Ventonorte. Protocolo 20261128-4471.'],
      ['{code} é o seu código de segurança', 'Digite {code} no aplicativo para confirmar que é você.'],
      [
        'Confirme a sua compra',
        'Compra de R$ 184,90 em LIVRARIA DO PORTO, cartão final 4471. A sua palavra-passe de utilização única: {code}',
      ],
      [
        'Conclua o seu registo',
        'Falta pouco! Introduza este código na página para concluir o registo:\n\n{code}\n\nDúvidas? Ligue 800 202 012.',
      ],
    ],
    links: [
      ['Confirme seu e-mail', 'Obrigado por se cadastrar na Ventonorte.', 'Confirmar e-mail'],
      [
        'Redefinição de senha',
        'Recebemos um pedido para redefinir a sua senha. O link vale por 24 horas.',
        'Redefinir senha',
      ],
      ['Seu link de acesso', 'Clique no botão para entrar sem senha.', 'Entrar na minha conta'],
      ['Ative a sua conta', 'A sua conta foi criada. Falta apenas ativá-la.', 'Ativar conta'],
    ],
    none: [
      [
        'Pedido 7712345 a caminho',
        'O seu pedido 7712345 foi enviado. Código de rastreio: LB123456789BR. Total: R$ 149,90.',
      ],
      ['A sua fatura de novembro', 'Fatura FT 2026/1182\nValor: 45,10 €\nEntidade 21098, referência 123 456 789'],
    ],
    footer:
      'Ventonorte Ltda., Av. Paulista 1000, São Paulo – SP, CEP 01310-100 – CNPJ 12.345.678/0001-90\nSAC 0800 123 4567',
    unsubscribe: 'Cancelar inscrição',
    forwarded: ['De', 'Enviada em', 'Para', 'Assunto'],
  },
  nl: {
    codes: [
      [
        'Je verificatiecode',
        'Hoi Sanne,\n\nJe verificatiecode is:\n\n{code}\n\nDe code is 10 minuten geldig. Deel hem met niemand.',
      ],
      [
        'Inloggen bij Noordenwind',
        'Gebruik de code {code} om in te loggen. Heb je dit niet aangevraagd? Bel 020 123 4567.',
      ],
      ['{code} is je beveiligingscode', 'Vul {code} in op de website om je e-mailadres te bevestigen.'],
      [
        'Betaling bevestigen',
        'Betaling van € 84,90 aan BOEKHANDEL DE HAVEN, pas eindigend op 4471. Eenmalige code: {code}',
      ],
      ['Rond je registratie af', 'Nog één stap. Neem deze code over in de app:\n\n{code}\n\nGroeten van Noordenwind'],
    ],
    links: [
      ['Bevestig je e-mailadres', 'Bedankt voor je aanmelding bij Noordenwind.', 'Bevestig e-mailadres'],
      [
        'Wachtwoord herstellen',
        'Je hebt gevraagd om een nieuw wachtwoord. De link is een uur geldig.',
        'Nieuw wachtwoord instellen',
      ],
      ['Je inloglink', 'Klik op de knop om zonder wachtwoord in te loggen.', 'Inloggen'],
      ['Activeer je account', 'Je account is aangemaakt.', 'Account activeren'],
    ],
    none: [
      ['Je bestelling 20268812', 'Bestelnummer 20268812 is onderweg. Track & trace: 3STEST123456789. Totaal € 24,95.'],
      ['Factuur 2026-1182', 'Factuurnummer 2026-1182\nKlantnummer 771204\nBedrag € 45,10'],
    ],
    footer: 'Noordenwind B.V., Keizersgracht 12, 1015 CX Amsterdam – KvK 12345678\nTel. 020 123 4567',
    unsubscribe: 'Uitschrijven',
    forwarded: ['Van', 'Verzonden', 'Aan', 'Onderwerp'],
  },
  sv: {
    codes: [
      [
        'Din verifieringskod',
        'Hej Elsa!\n\nDin verifieringskod är:\n\n{code}\n\nKoden gäller i 10 minuter. Dela den inte med någon.',
      ],
      ['Logga in på Nordanvind', 'Ange koden {code} för att logga in. Om det inte var du kan du ringa 08-123 456 78.'],
      ['{code} är din säkerhetskod', 'Använd {code} för att bekräfta din e-postadress.'],
      ['Godkänn ditt köp', 'Köp för 849,00 kr hos BOKHANDELN, kort som slutar på 4471. Engångskod: {code}'],
      ['Slutför din registrering', 'Nästan klart! Skriv in den här koden i appen:\n\n{code}\n\nHälsningar, Nordanvind'],
    ],
    links: [
      ['Bekräfta din e-postadress', 'Tack för att du registrerade dig hos Nordanvind.', 'Bekräfta e-postadress'],
      [
        'Återställ ditt lösenord',
        'Vi har fått en begäran om att återställa ditt lösenord. Länken gäller i en timme.',
        'Återställ lösenord',
      ],
      ['Din inloggningslänk', 'Klicka på knappen för att logga in utan lösenord.', 'Logga in'],
      ['Aktivera ditt konto', 'Ditt konto har skapats.', 'Aktivera konto'],
    ],
    none: [
      ['Din beställning 20268812', 'Ordernummer 20268812 är på väg. Kollinummer 373400260012345678. Totalt 249 kr.'],
      ['Faktura 2026-1182', 'Fakturanummer 1182\nKundnummer 771204\nBelopp 451,00 kr\nOCR 77120418'],
    ],
    footer: 'Nordanvind AB, Drottninggatan 12, 111 51 Stockholm – Org.nr 556123-4567\nTelefon 08-123 456 78',
    unsubscribe: 'Avsluta prenumerationen',
    forwarded: ['Från', 'Skickat', 'Till', 'Ämne'],
  },
};
