import { phrase } from './phrase.ts';

export const FR = [
  phrase(
    'override',
    'instruction consigne regle directive ordre prompt commande contrainte restriction',
    "(?:ignore[zrs]?|oublie[zrs]?|neglige[zrs]?|ne (?:tiens|tenez) (?:pas |plus )?compte(?: de| des)?|ne (?:suis|suivez|respecte|respectez) (?:pas|plus)|contourne[zr]?|fais abstraction|faites abstraction|ecarte[zr]?|outrepasse[zr]?|annule[zr]?)(?:<5>| )(?:instructions?|consignes?|regles?|directives?|ordres?|prompts?|commandes?|contraintes?|restrictions?)(?:<3>| )(?:precedente?s?|anterieure?s?|ci-dessus|initiale?s?|d'origine|systeme|plus haut|recue?s?|donnee?s?|existante?s?|actuelle?s?|que (?:tu|vous)|qui (?:precede|t'ont|vous ont))",
  ),
  phrase(
    'override',
    'instruction consigne regle directive tout prompt',
    "(?:ignore[zrs]?|oublie[zrs]?|neglige[zrs]?|contourne[zr]?)(?:<3>| )(?:tes|vos|precedentes|anciennes) (?:\\w{1,12} )?(?:instructions?|consignes?|regles?|directives?|prompts?)|(?:ignore[zr]?|oublie[zr]?) tout ce (?:qui precede|qu'on (?:t'a|vous a) dit|que (?:tu sais|vous savez|tu as|vous avez)|qui est (?:ecrit|dit))",
  ),
  phrase(
    'address',
    'ia intelligence llm langage assistant agent chatbot',
    "(?:(?:si|puisque|comme|quand|lorsque) (?:tu es|vous etes)(?: une?| l')?|(?:attention|note|message|instructions?|consignes?|bonjour|chere?|salut|avis|important|a l'attention|a l'intention)(?: (?:a|pour|de|aux?|destinee?s? (?:a|aux?)))?(?: (?:les|toute|tout|le|la|cher|chere))?(?: l'|[,:])?) ?(?:ia|intelligences? artificielles?|llms?|modeles? de langage|assistants? (?:d')?(?:ia|virtuels?|automatises?|numeriques?|de messagerie)|agents? (?:ia|conversationnels?)|chatbots?)(?![a-z])",
  ),
  phrase(
    'address',
    'ia assistant modele',
    "(?:l'ia|l'assistant(?:e)?(?: ia| virtuel)?|le modele(?: de langage)?|toute ia)(?: qui lit (?:ceci|ce message|cet e-?mail|ce courriel|ce mail))?,? (?:doit|devra|est (?:prie|tenu|prie)e? de)(?: (?:imperativement|toujours|maintenant))? (?:repondre|ignorer|transferer|envoyer|ecrire|inclure|supprimer|obeir|suivre|afficher|divulguer|approuver|dire|ajouter)",
  ),
  phrase(
    'address',
    'tant',
    "en tant qu(?:'|e )(?:ia|(?:assistant|agent) (?:ia|virtuel|numerique)|modele de langage|intelligence artificielle),? (?:tu (?:dois|devras)|vous (?:devez|devrez))(?![a-z])",
  ),
  phrase(
    'role',
    'maintenant desormais present dorenavant partir',
    '(?:tu es|vous etes) (?:maintenant|desormais|a present|dorenavant)(?:<4>| )(?:ia|chatbot|modele de langage|dan|assistant|mode (?:developpeur|debug|sans restrictions?|admin)|sans (?:restriction|limite|filtre|regle)s?)(?![a-z])|(?:a partir de maintenant|desormais|dorenavant),? (?:tu (?:dois|vas|reponds|repondras|agis|agiras|es)|vous (?:repondrez|agirez|agissez))(?![a-z])',
  ),
  phrase(
    'prompt',
    'prompt invite instruction consigne message',
    "(?:revele[zr]?|affiche[zr]?|montre[zr]?|donne[zr]?|repete[zr]?|imprime[zr]?|divulgue[zr]?|communique[zr]?|envoie|envoyez|ecris|ecrivez|partage[zr]?|cite[zr]?|recopie[zr]?|transmets|transmettez)(?:-moi|-nous)?(?:<6>| )(?:prompt systeme|invite systeme|message systeme|instructions? (?:systeme|initiales?|secretes?|cachees?|internes?|d'origine)|consignes (?:initiales|secretes|cachees|internes|systeme)|prompt (?:initial|secret|cache|d'origine|complet)|(?:ton|votre) prompt|tes instructions)",
  ),
  phrase(
    'secrecy',
    'utilisat proprietaire titulaire',
    "(?:(?:ne|n'en) ?(?:dis|dites|previens|prevenez|informe[zs]?|mentionne[zs]?|revele[zs]?|parle[zs]?)|n'(?:informe[zs]?|avertis(?:sez)?|alerte[zs]?)|sans (?:en )?(?:prevenir|informer|avertir|alerter|le dire|demander))(?:<6>| )(?:a )?(?:l'|au )?(?:utilisat(?:eur|rice)|proprietaire|titulaire)(?![a-z])",
  ),
  phrase(
    'data',
    'utilisat proprietaire titulaire',
    "(?:transfere[zr]?|envoie|envoyez|envoyer|exporte[zr]?|copie[zr]?|transmets|transmettez|supprime[zr]?)(?:<6>| )(?:de l'utilisateur|de l'utilisatrice|du proprietaire|du titulaire)(?![a-z])",
  ),
];

export const ES = [
  phrase(
    'override',
    'instruccion indicacion regla directri directiva orden prompt comando norma restriccion consigna',
    '(?:ignor[ae]n?|ignorar|ignores|olvid[ae]n?|olvidar|olvidate de|olvidese de|desestim[ae]n?|descart[ae]n?|haz caso omiso|haga caso omiso|hagan caso omiso|no (?:sigas|siga|obedezcas|obedezca|hagas caso)|pas[ae] por alto|anul[ae]n?|omit[ae]n?)(?:<5>| )(?:instruccion(?:es)?|indicacion(?:es)?|reglas?|directric(?:es)?|directivas?|ordenes|prompts?|comandos?|normas|restricciones|consignas)(?:<3>| )(?:anterior(?:es)?|previ[oa]s?|precedentes?|inicial(?:es)?|original(?:es)?|de arriba|del sistema|existentes|actuales|recibid[oa]s|dadas|que (?:te|se|has|le|recibiste))',
  ),
  phrase(
    'override',
    'instruccion indicacion regla directri todo prompt',
    '(?:ignor[ae]|olvid[ae]|desobedece|anula)(?:<3>| )(?:tus|anteriores|previas|sus) (?:\\w{1,12} )?(?:instrucciones|indicaciones|reglas|directrices|prompts?)|(?:ignor[ae]|olvid[ae]) todo lo (?:anterior|que (?:te|se|sabes|has|he)|previo|dicho|de arriba)',
  ),
  phrase(
    'address',
    'ia inteligencia llm lenguaje asistente agente chatbot',
    '(?:(?:si|como|ya que|cuando) (?:eres|usted es|es usted)(?: una?)?|(?:atencion|nota|mensaje|instruccion(?:es)?|hola|estimad[oa]s?|querid[oa]s?|aviso|importante|orden)(?: (?:a|para|dirigid[oa]s? a))?[,:]?(?: (?:la|las|los|el|un|una|al|todo|toda|cualquier))?) ?:?(?:ia|inteligencias? artificial(?:es)?|llms?|modelos? de lenguaje|asistentes? (?:de )?(?:ia|virtual(?:es)?|automatico|digital(?:es)?|de correo)|agentes? (?:de )?ia|chatbots?)(?![a-z])',
  ),
  phrase(
    'address',
    'ia asistente modelo',
    '(?:la ia|el asistente(?: de ia| virtual)?|el modelo(?: de lenguaje)?|cualquier ia|toda ia)(?: que (?:lea|lee|procese) (?:esto|este (?:mensaje|correo|email)))?,? (?:debe|debera|tiene que)(?: (?:siempre|ahora|inmediatamente))? (?:responder|ignorar|reenviar|enviar|escribir|incluir|borrar|eliminar|obedecer|seguir|mostrar|revelar|aprobar|decir|contestar)',
  ),
  phrase(
    'address',
    'como',
    'como (?:(?:un |una )?(?:asistente|agente) (?:de ia|virtual|digital)|(?:una )?ia|(?:un )?modelo de lenguaje|(?:una )?inteligencia artificial),? (?:debes?|deberas?|tienes que|tiene que|has de)(?![a-z])',
  ),
  phrase(
    'role',
    'ahora adelante momento',
    '(?:ahora eres|eres ahora|a partir de ahora (?:eres|seras|vas a ser)|de ahora en adelante (?:eres|seras)|usted es ahora|desde ahora eres)(?:<4>| )(?:ia|chatbot|modelo de lenguaje|dan|asistente|modo (?:desarrollador|debug|administrador|sin restricciones)|sin (?:restricciones|limites|filtros|reglas|censura))(?![a-z])|(?:a partir de ahora|de ahora en adelante|desde este momento),? (?:debes|responderas|responde|actuaras|actua|contestaras|vas a)(?![a-z])|actua como (?:una ia|un (?:chatbot|modelo|asistente))',
  ),
  phrase(
    'prompt',
    'prompt instruccion indicacion mensaje',
    '(?:revel[ae]s?|m(?:ue|o)str[ae]s?|mostrar|imprim[ae]|repit[ae]|repite|dime|dame|divulg[ae]|comparte|envia(?:me)?|escrib[ae]|copi[ae]|muestrame|transcrib[ae]|ensename|incluye)(?:<6>| )(?:prompt (?:del|de) sistema|mensaje del sistema|instrucciones (?:del sistema|iniciales|secretas|ocultas|internas|originales)|indicaciones (?:iniciales|ocultas|internas)|prompt (?:inicial|secreto|oculto|original|completo)|tu prompt|tus instrucciones)',
  ),
  phrase(
    'secrecy',
    'usuari propietari titular',
    '(?:no (?:le |se lo )?(?:digas|diga|informes|informe|avises|avise|menciones|mencione|reveles|revele|cuentes|notifiques|notifique|alertes)|sin (?:informar|avisar|decir(?:le|selo)?|notificar|preguntar|alertar))(?:<6>| )(?:usuari[oa]|propietari[oa]|titular)(?![a-z])',
  ),
  phrase(
    'data',
    'usuari propietari titular',
    '(?:reenvi[ae]r?|envi[ae]r?|exporta|copia|transfiere|manda|elimina|borra)(?:<6>| )(?:del usuario|de la usuaria|del propietario|del titular)(?![a-z])',
  ),
];

export const IT = [
  phrase(
    'override',
    'istruzion indicazion regol direttiv ordin prompt comand restrizion consegn',
    '(?:ignora(?:te|re)?|ignori|dimentica(?:te|re)?|dimentichi|trascura(?:te|re)?|non (?:seguire|segua|seguite|rispettare|considerare)|non tenere conto|scarta(?:te)?|disattendi|aggira|annulla|tralascia)(?:<5>| )(?:istruzion[ei]|indicazion[ei]|regol[ae]|direttiv[ae]|ordini|prompt|comand[oi]|restrizioni|consegne|linee guida)(?:<3>| )(?:precedent[ei]|anterior[ei]|inizial[ei]|original[ei]|sopra|di sopra|di sistema|del sistema|ricevut[ei]|dat[ei]|esistenti|attuali|che (?:ti|hai|vi|le))',
  ),
  phrase(
    'override',
    'istruzion indicazion regol tutto prompt',
    '(?:ignora(?:te)?|ignori|dimentica(?:te)?|dimentichi|disobbedisci)(?:<3>| )(?:tue|vostre|sue|precedenti) (?:\\w{1,12} )?(?:istruzioni|indicazioni|regole|direttive|prompt)|(?:ignora|dimentica)(?:te)? tutto (?:cio che|quello che|quanto) (?:precede|ti|sai|hai|e stato|viene|e scritto)',
  ),
  phrase(
    'address',
    'ia ai intelligenz llm linguaggi linguistic assistent agent chatbot',
    "(?:(?:se|poiche|siccome|dato che|quando) (?:sei|lei e)(?: una?| un')?|(?:attenzione|nota|messaggio|istruzion[ei]|ciao|car[oa]|gentile|avviso|importante)(?: (?:a|per|all'|alla|alle|ai|agli|rivolt[oae] a))?[,:]?(?: (?:l'|le|gli|i|un|una|tutte|ogni|qualsiasi))?) ?:?(?:ia|ai|intelligenz[ae] artificial[ei]|llm|modell[oi] (?:linguistic[oi]|di linguaggio)|assistent[ei] (?:di )?(?:ia|ai|virtual[ei]|automatic[oi]|digital[ei]|di posta)|agent[ei] (?:di )?(?:ia|ai)|chatbot)(?:[,:;!.]| (?:che|stai|virtuale|e|o|di|sta)(?![a-z])|$)",
  ),
  phrase(
    'address',
    'ia assistente modello',
    "(?:l'ia|l'ai|l'assistente(?: ia| ai| virtuale)?|il modello(?: linguistico)?|qualsiasi ia|ogni ia)(?: che legge (?:questo (?:messaggio|testo)|questa (?:e-?mail|mail)))?,? (?:deve|dovra)(?: (?:sempre|ora|subito))? (?:rispondere|ignorare|inoltrare|inviare|scrivere|includere|cancellare|eliminare|obbedire|seguire|mostrare|rivelare|approvare|dire)",
  ),
  phrase(
    'address',
    'come qualita quanto',
    '(?:come|in qualita di|in quanto) (?:assistente (?:ia|ai|virtuale|digitale)|ia|ai|agente ai|modello linguistico|intelligenza artificiale),? (?:devi|dovrai|sei tenuto|deve)(?![a-z])',
  ),
  phrase(
    'role',
    'ora adesso avanti momento',
    "(?:(?:ora|adesso|d'ora in poi|da ora|da adesso|da questo momento)(?: in poi)? (?:sei|sarai|lei e)|sei (?:ora|adesso))(?:<4>| )(?:ia|ai|chatbot|modello linguistico|dan|assistente|modalita (?:sviluppatore|debug|amministratore|senza restrizioni)|senza (?:restrizioni|limiti|filtri|regole|censura))(?![a-z])|(?:d'ora in (?:poi|avanti)|da ora in (?:poi|avanti)|da questo momento),? (?:devi|risponderai|rispondi|agirai|agisci|comportati)(?![a-z])",
  ),
  phrase(
    'prompt',
    'prompt istruzion indicazion messaggio',
    '(?:rivela(?:mi)?|mostra(?:mi)?|stampa|ripeti|dimmi|dammi|divulga|condividi|invia(?:mi)?|scrivi(?:mi)?|copia|trascrivi|riporta|includi|manda(?:mi)?)(?:<6>| )(?:prompt (?:di|del) sistema|messaggio di sistema|istruzioni (?:di sistema|iniziali|segrete|nascoste|interne|originali)|prompt (?:iniziale|segreto|nascosto|originale|completo)|tuo prompt|tue istruzioni)',
  ),
  phrase(
    'secrecy',
    'utent proprietari titolar',
    "(?:non (?:dire|dirlo|informare|avvisare|menzionare|rivelare|avvertire|notificare|raccontare|parlarne|dica|informi|avvisi)|senza (?:informare|avvisare|dirlo|dire|avvertire|notificare|chiedere))(?:<6>| )(?:all'|l'|al |il |a )?(?:utente|proprietari[oa]|titolare)(?![a-z])",
  ),
  phrase(
    'data',
    'utent proprietari titolar',
    "(?:inoltra(?:re)?|invia(?:re)?|esporta|copia|trasferisci|manda|elimina|cancella)(?:<6>| )(?:dell'utente|del proprietario|della proprietaria|del titolare)(?![a-z])",
  ),
];

export const PT = [
  phrase(
    'override',
    'instruc orientac regra diretri diretiv ordens prompt comando restric',
    '(?:ignor[ae]m?|ignorar|esquec[ae]m?|esquecer|esqueca-se de|desconsider[ae]m?|descart[ae]m?|nao (?:siga|sigas|obedeca|obedecas|considere)|pass[ae] por cima|anul[ae]|deixe de seguir|contorn[ae])(?:<5>| )(?:instruc(?:ao|oes)|orientacoes|regras?|diretrizes|diretivas?|ordens|prompts?|comandos?|restricoes)(?:<3>| )(?:anterior(?:es)?|previ[oa]s?|precedentes?|inicia(?:l|is)|origina(?:l|is)|acima|do sistema|existentes|atuais|recebid[oa]s|dadas|que (?:voce|te|lhe|recebeu|foram))',
  ),
  phrase(
    'override',
    'instruc orientac regra diretri tudo prompt',
    '(?:ignor[ae]|esquec[ae]|desconsider[ae]|desobedeca)(?:<3>| )(?:suas|tuas|anteriores|previas) (?:\\w{1,12} )?(?:instrucoes|orientacoes|regras|diretrizes|prompts?)|(?:ignor[ae]|esquec[ae]|desconsider[ae]) tudo (?:o )?que (?:veio|foi|esta|voce|te|sabe|lhe|aprendeu)(?![a-z])',
  ),
  phrase(
    'address',
    'ia inteligencia llm linguagem assistente agente chatbot',
    '(?:(?:se|como|ja que|quando) (?:voce e|tu es|for|voce for|fores)(?: uma?)?|(?:atencao|nota|mensagem|instruc(?:ao|oes)|ola|car[oa]|prezad[oa]|aviso|importante|oi)(?: (?:a|para|ao|aos|as|dirigid[oa]s? a))?[,:]?(?: (?:o|os|as|um|uma|todo|toda|qualquer|sua))?) ?:?(?:ia|inteligencias? artificia(?:l|is)|llms?|modelos? de linguagem|assistentes? (?:de )?(?:ia|virtua(?:l|is)|automatico|digita(?:l|is)|de e-?mail)|agentes? (?:de )?ia|chatbots?)(?![a-z])',
  ),
  phrase(
    'address',
    'ia assistente modelo',
    '(?:a ia|o assistente(?: de ia| virtual)?|o modelo(?: de linguagem)?|qualquer ia|toda ia)(?: que (?:ler|le|processar) (?:isto|est[ae] (?:mensagem|e-?mail|texto)))?,? (?:deve|devera|precisa|tem que|tem de)(?: (?:sempre|agora|imediatamente))? (?:responder|ignorar|encaminhar|reencaminhar|enviar|escrever|incluir|apagar|excluir|obedecer|seguir|mostrar|revelar|aprovar|dizer)',
  ),
  phrase(
    'address',
    'como',
    'como (?:(?:um |uma )?(?:assistente|agente) (?:de ia|virtual|digital)|(?:uma )?ia|(?:um )?modelo de linguagem|(?:uma )?inteligencia artificial),? (?:voce )?(?:deve|deves|precisa|tem de|tem que)(?![a-z])',
  ),
  phrase(
    'role',
    'agora diante momento',
    '(?:agora (?:voce e|tu es|voce sera)|voce agora e|a partir de agora,? (?:voce e|voce sera|tu es|seras)|de agora em diante,? (?:voce e|voce sera|es))(?:<4>| )(?:ia|chatbot|modelo de linguagem|dan|assistente|modo (?:desenvolvedor|debug|administrador|sem restricoes)|sem (?:restricoes|limites|filtros|regras|censura))(?![a-z])|(?:a partir de agora|de agora em diante|doravante),? (?:voce )?(?:deve|deves|respondera|responda|aja|agira|ira responder)(?![a-z])|(?:aja|atue|finja ser) (?:como )?uma? (?:ia|chatbot|modelo|assistente)(?![a-z])',
  ),
  phrase(
    'prompt',
    'prompt instruc orientac mensagem',
    '(?:revel[ae](?:-me)?|mostr[ae](?:-me)?|imprim[ae]|repit[ae]|repete|diga(?:-me)?|me (?:diga|mostre|envie|de)|divulgu?[ae]|compartilhe|partilhe|envi[ae](?:-me)?|escreva|copi[ae]|exib[ae]|inclua|liste)(?:<6>| )(?:prompt (?:do|de) sistema|mensagem (?:do|de) sistema|instrucoes (?:do sistema|de sistema|iniciais|secretas|ocultas|internas|originais)|prompt (?:inicial|secreto|oculto|original|completo)|seu prompt|teu prompt|suas instrucoes|tuas instrucoes)',
  ),
  phrase(
    'secrecy',
    'usuari utilizador proprietari titular don',
    '(?:nao (?:conte|contes|diga|digas|informe|informes|avise|avises|mencione|menciones|revele|reveles|notifique|alerte)|sem (?:informar|avisar|dizer|contar|notificar|perguntar|alertar))(?:<6>| )(?:usuari[oa]|utilizador(?:a)?|proprietari[oa]|titular|dono)(?![a-z])',
  ),
  phrase(
    'data',
    'usuari utilizador proprietari titular',
    '(?:encaminh[ae]r?|reencaminh[ae]r?|envi[ae]r?|export[ae]|copi[ae]|transfira|mande|exclua|apague)(?:<6>| )(?:do usuario|da usuaria|do utilizador|do proprietario|do titular)(?![a-z])',
  ),
];
