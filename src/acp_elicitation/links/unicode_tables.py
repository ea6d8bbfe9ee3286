"""Scripts and lookalikes of the characters that a host name can hold, from Unicode 17.0.0.

Owns: the tables. Written by `python -m tools.unicode_tables`, which says from what; do not edit.
Above it: `scripts`, `lookalikes`. Below it: nothing.

Copyright (c) 1991-2025 Unicode, Inc. The tables are derived from Unicode data files, under the
Unicode License v3: LICENSES/Unicode-3.0.txt. Sources, by SHA-256:

    091c7f82fc39ef208faf8f94d29c244de99254675e09de163160c810d13ef22a
        confusables.txt
    9f5e50d3abaee7d6ce09480f325c706f485ae3240912527e651954d2d6b035bf
        Scripts.txt
    ec2107e58825a1586acee8e0911ce18260394ac8b87e535ca325f1ccbeb06bc6
        ScriptExtensions.txt
    64e9a5f76f7a1e8b5a47d6a1f9a26522a251208f5276bdfa1559dac7cf2e827a
        PropertyValueAliases.txt
"""

__all__ = ["LOOKALIKES", "SCRIPTS"]

SCRIPTS = (
    "2d: 61:Latn "
    "b7:Avst+Cari+Copt+Dupl+Elba+Geor+Glag+Gong+Goth+Grek+Hani+Latn+Lydi+Mahj+Perm+Shaw df:Latn "
    "2b9: 2bc:Beng+Cyrl+Deva+Latn+Lisu+Thai+Toto 2bd: 2c7:Bopo+Latn 2c8: 2c9:Bopo+Latn 2cc: "
    "2cd:Latn+Lisu 2ce: 300:Cher+Copt+Cyrl+Grek+Latn+Perm+Sunu+Tale "
    "301:Cher+Cyrl+Grek+Latn+Osge+Sunu+Tale+Todr 302:Cher+Cyrl+Latn+Tfng "
    "303:Glag+Latn+Sunu+Syrc+Thai 304:Aghb+Cher+Copt+Cyrl+Goth+Grek+Latn+Osge+Syrc+Tfng+Todr "
    "305:Copt+Elba+Glag+Goth+Kana+Latn 306:Cyrl+Grek+Latn+Perm+Tfng "
    "307:Copt+Dupl+Hebr+Latn+Perm+Syrc+Tale+Tfng+Todr "
    "308:Armn+Cyrl+Dupl+Goth+Grek+Hebr+Latn+Perm+Syrc+Tale+Tfng 309:Latn+Tfng "
    "30a:Dupl+Latn+Syrc 30b:Cher+Cyrl+Latn+Osge 30c:Cher+Latn+Tale 30d:Latn+Sunu 30e:Ethi+Latn "
    "30f: 310:Latn+Sunu 311:Cyrl+Latn+Todr 312: 313:Grek+Latn+Perm+Todr 314: "
    "323:Cher+Dupl+Kana+Latn+Syrc+Tfng 324:Cher+Dupl+Latn+Syrc 325:Latn+Syrc 326: "
    "32d:Latn+Sunu+Syrc 32e:Latn+Syrc 32f: 330:Cher+Latn+Syrc "
    "331:Aghb+Cher+Goth+Latn+Sunu+Syrc+Thai 332: 342:Grek 346: 358:Latn+Osge 359: "
    "35e:Aghb+Latn+Todr 35f: 363:Latn 371:Grek 375:Copt+Grek 377:Grek 3e3:Copt 3f3:Grek "
    "430:Cyrl 483:Cyrl+Perm 484:Cyrl+Glag 485:Cyrl+Latn 487:Cyrl+Glag 48b:Cyrl 559:Armn "
    "591:Hebr 5c8:Zzzz 5d0:Hebr 610:Arab 64b:Arab+Syrc 656:Arab 660:Arab+Thaa+Yezi 66e:Arab "
    "670:Arab+Syrc 671:Arab 710:Syrc 750:Arab 780:Thaa 7c0:Nkoo 800:Samr 840:Mand 860:Syrc "
    "870:Arab 900:Deva "
    "951:Beng+Deva+Gran+Gujr+Guru+Knda+Latn+Mlym+Nand+Newa+Orya+Shrd+Taml+Telu+Tirh "
    "952:Beng+Deva+Gran+Gujr+Guru+Knda+Latn+Mlym+Newa+Orya+Taml+Telu+Tirh 953: 955:Deva "
    "966:Deva+Dogr+Kthi+Mahj 971:Deva 980:Beng 9e6:Beng+Cakm+Sylo 9f0:Beng a01:Guru "
    "a66:Guru+Mult a70:Guru a81:Gujr ae6:Gujr+Khoj af9:Gujr b01:Orya b53:Zzzz b55:Orya b82:Taml "
    "be6:Gran+Taml c00:Telu c80:Knda ce6:Knda+Nand+Tutg cf1:Knda d00:Mlym d81:Sinh e01:Thai "
    "e81:Laoo f00:Tibt 1000:Mymr 1040:Cakm+Mymr+Tale 1050:Mymr 10d0:Geor 1200:Ethi 13a0:Cher "
    "1401:Cans 1681:Ogam 16a0:Runr 1700:Tglg 1720:Hano 1740:Buhd 1760:Tagb 1780:Khmr 1810:Mong "
    "18b0:Cans 1900:Limb 1950:Tale 1980:Talu 1a00:Bugi 1a20:Lana 1ab0: 1ade:Zzzz 1ae0: "
    "1aec:Zzzz 1b00:Bali 1b80:Sund 1bc0:Batk 1c00:Lepc 1c50:Olck 1c8a:Cyrl "
    "1cd0:Beng+Deva+Gran+Knda 1cd1:Deva 1cd2:Beng+Deva+Gran+Knda 1cd4:Deva "
    "1cd5:Beng+Deva+Newa+Telu+Tirh 1cd6:Beng+Deva+Telu 1cd7:Deva+Newa+Shrd "
    "1cd8:Beng+Deva+Newa+Telu 1cd9:Deva+Shrd 1cda:Deva+Knda+Mlym+Orya+Taml+Telu 1cdb:Deva "
    "1cdc:Deva+Shrd 1cde:Deva 1ce0:Deva+Shrd 1ce1:Beng+Deva 1ce2:Deva+Newa+Tirh 1ce3:Deva "
    "1ce9:Deva+Nand+Newa 1cea:Beng+Deva+Shrd 1ceb:Deva+Newa 1cec:Deva 1ced:Beng+Deva+Newa+Shrd "
    "1cee:Deva 1cf2:Beng+Deva+Gran+Knda+Mlym+Nand+Orya+Sinh+Telu+Tirh+Tutg 1cf3:Deva+Gran "
    "1cf4:Deva+Gran+Knda+Tutg 1cf5:Beng+Deva 1cf7:Beng 1cf8:Deva+Gran 1cfa:Nand 1d00:Latn "
    "1d26:Grek 1d2b:Cyrl 1d2f:Latn 1dc0:Grek 1dc2: 1df8:Cyrl+Latn+Syrc 1df9: 1dfa:Syrc 1dfb: "
    "1e01:Latn 1f00:Grek 200c: 208f:Zzzz 214e:Latn 2c30:Glag 2c61:Latn 2c81:Copt 2d00:Geor "
    "2d30:Tfng 2d80:Ethi 2de0:Cyrl 2e2f: 3005:Hani 302a:Bopo+Hani 303c:Hani+Hira+Kana 3041:Hira "
    "3099:Hira+Kana 309d:Hira 30a1:Kana 30fb:Bopo+Hang+Hani+Hira+Kana+Yiii 30fc:Hira+Kana "
    "30fd:Kana 3105:Bopo 31f0:Kana 3400:Hani a000:Yiii a4d0:Lisu a500:Vaii a641:Cyrl "
    "a66f:Cyrl+Glag a674:Cyrl a6a0:Bamu a717: a723:Latn a788: a78c:Latn a800:Sylo a840:Phag "
    "a880:Saur a8e0:Deva a8f1:Beng+Deva+Tutg a8f2:Deva a8f3:Deva+Taml a8f4:Deva a900:Kali "
    "a930:Rjng a980:Java a9cf:Bugi+Java a9d0:Java a9e0:Mymr aa00:Cham aa60:Mymr aa80:Tavt "
    "aae0:Mtei ab01:Ethi ab30:Latn ab65:Grek ab66:Latn abc0:Mtei ac00:Hang fa0e:Hani fb1e:Hebr "
    "fe20: fe2e:Cyrl fe73:Arab 10000:Linb 101fd: 10280:Lyci 102a0:Cari 102e0:Arab+Copt "
    "10300:Ital 10330:Goth 10350:Perm 10380:Ugar 103a0:Xpeo 10428:Dsrt 10450:Shaw 10480:Osma "
    "104d8:Osge 10500:Elba 10530:Aghb 10597:Vith 105c0:Todr 10600:Lina 10780:Latn 10800:Cprt "
    "10840:Armi 10860:Palm 10880:Nbat 108e0:Hatr 10900:Phnx 10920:Lydi 10940:Sidt 10980:Mero "
    "109a0:Merc 10a00:Khar 10a60:Sarb 10a80:Narb 10ac0:Mani 10b00:Avst 10b40:Prti 10b60:Phli "
    "10b80:Phlp 10c00:Orkh 10cc0:Hung 10d00:Rohg 10d40:Gara 10e80:Yezi 10ec2:Arab 10ecb:Zzzz "
    "10efa:Arab 10f00:Sogo 10f30:Sogd 10f70:Ougr 10fb0:Chrs 10fe0:Elym 11000:Brah 11080:Kthi "
    "110d0:Sora 11100:Cakm 11150:Mahj 11180:Shrd 11200:Khoj 11280:Mult 112b0:Sind 11300:Gran "
    "11301:Gran+Taml 11302:Gran 11303:Gran+Taml 11305:Gran 1133b:Gran+Taml 1133d:Gran "
    "11380:Tutg 11400:Newa 11480:Tirh 11580:Sidd 11600:Modi 11680:Takr 116d0:Mymr 11700:Ahom "
    "11800:Dogr 118c0:Wara 11900:Diak 119a0:Nand 11a00:Zanb 11a50:Soyo 11ab0:Cans 11ac0:Pauc "
    "11b0a:Zzzz 11b60:Shrd 11bc0:Sunu 11c00:Bhks 11c72:Marc 11d00:Gonm 11d60:Gong 11db0:Tols "
    "11df0:Zzzz 11ee0:Maka 11f00:Kawi 11fb0:Lisu 12000:Xsux 12f90:Cpmn 13000:Egyp 14400:Hluw "
    "16100:Gukh 16800:Bamu 16a40:Mroo 16a70:Tnsa 16ad0:Bass 16b00:Hmng 16d40:Krai 16e60:Medf "
    "16ebb:Berf 16f00:Plrd 16fe0:Tang 16fe1:Nshu 16fe3:Hani 16fe4:Kits 16ff0:Hani 17000:Tang "
    "18b00:Kits 18cd6:Zzzz 18cff:Kits 18d00:Tang 18d1f:Zzzz 18d80:Tang 18e00:Zzzz 1aff0:Kana "
    "1b001:Hira 1b120:Kana 1b127:Zzzz 1b132:Hira 1b155:Kana 1b168:Zzzz 1b170:Nshu 1bc00:Dupl "
    "1cf00: 1d250:Zzzz 1da00:Sgnw 1df00:Latn 1df1f:Zzzz 1df25:Latn 1df2b:Zzzz 1e000:Glag "
    "1e08f:Cyrl 1e100:Hmnp 1e290:Toto 1e2c0:Wcho 1e4d0:Nagm 1e5d0:Onao 1e6c0:Tayo 1e7e0:Ethi "
    "1e800:Mend 1e922:Adlm 20000:Hani 2b81e:Zzzz 2b820:Hani 3d000:Zzzz "
)
"""Where a run begins, and the scripts of its characters; none where any."""

LOOKALIKES = {
    "-": "\u2cbb",
    "-\u0307": "\u2cb3",
    "2": "\u14bf",
    "2\u0335": "\u01bb",
    "3": "\u0969\u0ae9\U000118ca\U00016f3b",
    "4": "\u13ce",
    "6": "\u0431\u13ee\u2cd3\U000118d5",
    "7": "\U000118c6",
    "8": "\u0223\u09ea\u0a6a\u0b03\U0001031a",
    "9": "\u09ed\u0a67\u0b68\u0d6d\u2ccb\U000118cc\U000118d6",
    "A": "\u13aa\u15c5\ua4ee\U000102a0\U00016f40",
    "B": "\u13f4\u15f7\ua4d0\U00010282\U000102a1\U00010301",
    "C": "\u13df\ua4da\U000102a2\U00010302\U0001051c\U000118e9",
    "D": "\u13a0\u15de\u15ea\ua4d3",
    "E": "\u13ac\u2d39\ua4f0\U00010286",
    "F": "\u15b4\ua4dd\U00010287\U000102a5\U00010525\U000118c2",
    "G": "\u13c0\u13f3\ua4d6",
    "H": "\u13bb\u157c\ua4e7\U000102cf",
    "J": "\u13ab\u148d\ua4d9",
    "K": "\u13e6\u16d5\ua4d7\U00010518",
    "L": "\u13de\u14aa\ua4e1\U00010526\U00016f16",
    "M": "\u13b7\u15f0\u16d6\ua4df\U000102b0\U00010311",
    "N": "\ua4e0\U00010513",
    "O": (
        "\u07c0\u0b20\u0ce6\u12d0\u2d54\u3007\ua4f3\U00010292\U000102ab\U00010516\U000118e0"
        "\U00011de0"
    ),
    "O\u0335": "\u03b8\u13be\u13eb\u2d31",
    "O\u0338": "\u2d41",
    "P": "\u13e2\u146d\ua4d1\U00010295",
    "Q": "\u2d55",
    "R": "\u13a1\u13d2\u1587\ua4e3\U00016f35",
    "S": "\u13d5\u13da\ua4e2\U00010296\U00016f3a",
    "T": "\u13a2\ua4d4\U00010297\U000102b1\U00010315\U00016f0a",
    "U": "\u1200\u144c\ua4f4\U00016f42",
    "U\u0335": "\u13cc",
    "V": "\u0667\u06f7\u13d9\u142f\u2d38\ua4e6\ua6df\U0001051d\U00016f08",
    "W": "\u13b3\u13d4\ua4ea\U000118e6",
    "X": "\u16b7\u2d5d\ua4eb\U00010290\U000102b4\U00010317\U00010527",
    "Y": "\u13a9\u13bd\ua4ec\U000102b2\U00016f43",
    "Z": "\u13c3\ua4dc\U000118e5",
    "a": "\u0251\u03b1\u0430",
    "aa": "\ua733",
    "ae": "\u00e6\u04d5",
    "ao": "\ua735",
    "au": "\ua737",
    "av": "\ua739\ua73b",
    "ay": "\ua73d",
    "a\u0306": "\u01ce",
    "a\u030a": "\u0227",
    "b": "\u13cf\u1472\u15af",
    "b\u0304": "\u0183",
    "b\u0307": "\u1473",
    "b\u0314": "\u0253",
    "b\u0335": "\u0180\u0463\u048d",
    "c": "\u0441\u1004\u105a\u1d04\u2ca5\U0001043d",
    "c\u0326": "\u00e7\u04ab",
    "c\u0338": "\u023c",
    "d": "\u0501\u13e7\u146f\ua4d2",
    "dz": "\u02a3",
    "d\u0304": "\u018c",
    "d\u0314": "\u0257",
    "d\u0328": "\u0256",
    "d\u0335": "\u0111",
    "e": "\u0435\u04bd\uab32",
    "e\u0306": "\u011b",
    "e\u0328": "\u04bf",
    "e\u0338": "\u0247",
    "f": "\u0192\u0584\u1e9d\ua799\uab35",
    "fn\u0329": "\u02a9",
    "f\u0334": "\u1d6e",
    "g": "\u018d\u0261\u0581\u1d83",
    "g\u0306": "\u01e7",
    "g\u0314": "\u0260",
    "g\u0327": "\u01f5",
    "g\u0335": "\u01e5",
    "h": "\u04bb\u0570\u13c2",
    "h\u0314": "\u0266\u13f2\ua695",
    "h\u0335": "\u0127\u045b",
    "i": "\u0131\u0269\u026a\u03b9\u0456\u0582\u13a5\u2c93\ua647\U000118c3",
    "i\u0306": "\u01d0",
    "i\u0335": "\u0268\u1d7b\u1d7c",
    "j": "\u03f3\u0458",
    "j\u0335": "\u0249",
    "k\u0314": "\u0199",
    "l": (
        "\u01c0\u04cf\u05d5\u05df\u0627\u0661\u06f1\u07ca\u16c1\u2d4f\ua4f2\U0001028a\U00010309"
        "\U00011dda\U00011de1\U00016f28"
    ),
    "ll": "\u01c1\u05f0",
    "ls": "\u02aa",
    "lz": "\u02ab",
    "l\u0328": "\u026d",
    "l\u0334": "\u026b",
    "l\u0335": "\u019a",
    "l\u0338": "\u0142",
    "l\u0655": "\u0625\u0673",
    "n": "\u0578\u057c",
    "n\u0328": "\u0273",
    "n\u0329": "\u014b\u019e\u03b7\u0572",
    "n\u0334": "\u1d70",
    "o": (
        "\u03bf\u03c3\u03ed\u043e\u0585\u05e1\u0647\u0665\u06be\u06c1\u06d5\u06f5\u0966\u09e6\u0a66"
        "\u0ae6\u0b66\u0be6\u0c02\u0c66\u0c82\u0d02\u0d20\u0d66\u0d82\u0e50\u0ed0\u101d\u1040\u10ff"
        "\u17e0\u1d0f\u1d11\u2c9f\uab3d\U0001042c\U000104ea\U000114d0\U000118c8\U000118d7"
    ),
    "oe": "\u0153",
    "oo": "\ua699\ua74f",
    "o\u0302": "\u06ff",
    "o\u0306": "\u01d2",
    "o\u0335": "\u0275\u0473\u04e9\u2c91\ua74b",
    "o\u0338": "\u00f8\uab3e",
    "p": "\u00fe\u01bf\u03c1\u03f8\u0440\u2ca3\u2ccf",
    "p\u0314": "\u01a5",
    "p\u0335": "\u1d7d",
    "q": "\u051b\u0563\u0566",
    "q\u0314": "\u02a0",
    "r": "\u0433\u1d26\u2c85\uab47\uab48",
    "rn": "\U00011700\U000118e3",
    "rn\u0326": "\u0271",
    "rn\u0334": "\u1d6f",
    "r\u0328": "\u027d",
    "r\u0329": "\u027c",
    "r\u0334": "\u1d72",
    "r\u0335": "\u024d\u0493",
    "s": "\u01bd\u0455\u0d1f\ua731\U00010448\U000118c1",
    "s\u0328": "\u0282",
    "s\u0334": "\u1d74",
    "tf": "\ua777",
    "ts": "\u02a6",
    "t\u0314": "\u01ad",
    "t\u0334": "\u1d75",
    "t\u0335": "\u0167",
    "u": "\u028b\u03c5\u057d\u1d1c\ua79f\uab4e\uab52\U000104f6\U000118d8",
    "ue": "\u1d6b",
    "uo": "\uab63",
    "u\u0306": "\u01d4",
    "u\u0329": "\u045f",
    "u\u0335": "\u1d7e",
    "v": "\u03bd\u0475\u05d8\u1d20\U00011706\U000118c0",
    "w": "\u026f\u0448\u0461\u051d\u0561\u1d21\u2cbd\U0001170a\U0001170e\U0001170f",
    "w\u0307": "\U000114c5",
    "w\u0326": "\ua761",
    "w\u0486\u0487": "\u047d",
    "x": "\u0445\u1541\u157d",
    "y": "\u0263\u028f\u03b3\u0443\u04af\u10e7\u1d8c\u1eff\u2ca9\uab5a\U000118dc",
    "y\u0314": "\u01b4",
    "y\u0335": "\u024f\u04b1",
    "z": "\u1d22\U000118c4",
    "z\u0326": "\u0225",
    "z\u0328": "\u0290",
    "z\u0334": "\u1d76",
    "z\u0335": "\u01b6",
}
"""What reads as Latin, and the characters that read so."""
